//! `occupancy slurm`: a script that submits experiments to Slurm, slice by slice.

use crate::args::Slurm;
use crate::failure::{Failure, Result};
use crate::output;
use crate::slices::Planned;
use occupancy_lab::number::count;
use occupancy_lab::slices::Wanted;
use occupancy_lab::{Error, staged};
use std::path::{Path, PathBuf};

/// A task of Slurm costs a quarter of a second: slices of a minute make nothing of it.
const SECONDS: f64 = 60.0;
/// Many clusters allow no larger arrays.
const MOST: usize = 1000;

/// Runs the command.
pub fn run(args: &Slurm) -> Result<()> {
    let files: Vec<PathBuf> = args.files.iter().map(|file| absolute(file)).collect::<Result<_>>()?;
    let mut planned = match args.array {
        Some(array) => Planned::of(&files, Wanted::Count(array as usize))?,
        None => Planned::of(&files, Wanted::Seconds(SECONDS))?,
    };
    if args.array.is_none() && planned.slices.len() > MOST {
        planned = Planned::of(&files, Wanted::Count(MOST))?;
    }
    let out = std::path::absolute(&args.out).map_err(|source| at(&args.out, source))?;
    std::fs::create_dir_all(out.join("logs")).map_err(|source| at(&out, source))?;
    let program = std::env::current_exe().map_err(|source| at(Path::new("occupancy"), source))?;
    let script = script(args, &planned, &out, &program);
    let (slices, submit) = (out.join("slices.txt"), out.join("submit.sh"));
    let written = [(&slices, planned.text()), (&submit, script)];
    let staged: Vec<_> = written
        .iter()
        .map(|(path, text)| staged::stage(path, |file| file.write_all(text.as_bytes())))
        .collect::<occupancy_lab::Result<_>>()?;
    staged.into_iter().try_for_each(staged::Staged::publish)?;
    let seconds: f64 = planned.slices.iter().map(|slice| slice.seconds).sum();
    output::print(&format!(
        "{} of about {:.0} s CPU each\n{}\nsubmit: sh {}\n",
        count(planned.slices.len(), "slice"),
        seconds / planned.slices.len().max(1) as f64,
        slices.display(),
        submit.display()
    ))
}

fn at(path: &Path, source: std::io::Error) -> Failure {
    Failure::Library(Error::File { path: path.to_path_buf(), source })
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(path).map_err(|source| at(path, source))
}

/// A path that a shell takes as it is.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let tame = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,".contains(c);
    if text.chars().all(tame) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn script(args: &Slurm, planned: &Planned, out: &Path, program: &Path) -> String {
    let option = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!(" --{name}={value}")).unwrap_or_default()
    };
    let common = option("partition", &args.partition) + &option("time", &args.time);
    let names: Vec<&str> = planned.names.iter().map(String::as_str).collect();
    format!(
        r#"#!/bin/sh
# Runs {names} on Slurm: {slices}, then one job that unites them.
# Submitted again, it does only what is missing.
set -eu
occupancy={program}
out={out}
export occupancy out

slices=$(sbatch --parsable --job-name=occupancy --array=1-{count} --cpus-per-task={cpus}{common} \
    --requeue --open-mode=append --output="$out/logs/%a.log" <<'END'
#!/bin/sh
exec "$occupancy" run --slices "$out/slices.txt" --slice "$SLURM_ARRAY_TASK_ID" \
    --out "$out/parts/$SLURM_ARRAY_TASK_ID" --jobs "$SLURM_CPUS_PER_TASK" --plain
END
)
sbatch --job-name=occupancy-merge --dependency="afterany:${{slices%%;*}}"{common} --output="$out/logs/merge.log" <<'END'
#!/bin/sh
set -eu
for name in {names}; do
    "$occupancy" merge "$out"/parts/*/"$name" --out "$out/$name" --whole
    "$occupancy" stats "$out/$name"
done
END
"#,
        names = names.join(" "),
        slices = count(planned.slices.len(), "slice"),
        program = quoted(program),
        out = quoted(out),
        count = planned.slices.len(),
        cpus = args.cpus,
    )
}
