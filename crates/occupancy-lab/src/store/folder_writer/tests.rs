//! Files are replaced whole, in their folder and nowhere else, and only what nobody needs is swept away.

use super::*;

fn writer(test: &str) -> FolderWriter {
    let folder = std::env::temp_dir().join(format!("occupancy-writer-{test}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    FolderWriter { folder }
}

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_behind() {
    let writer = writer("whole");
    writer.put(Path::new("a/b.csv"), b"one").unwrap();
    writer.put(Path::new("a/b.csv"), b"two").unwrap();
    assert_eq!(std::fs::read(writer.folder.join("a/b.csv")).unwrap(), b"two");
    assert!(writer.put_new("c.csv", b"three").unwrap());
    assert!(!writer.put_new("c.csv", b"four").unwrap());
    assert_eq!(std::fs::read(writer.folder.join("c.csv")).unwrap(), b"three");
    let wave = |name: &str| (0..40).map(|i| (PathBuf::from(format!("{name}/{i}.csv")), vec![i])).collect();
    let (d, e): (Vec<Whole>, Vec<Whole>) = (wave("d"), wave("e"));
    writer.put_waves(&[d.iter().collect(), e.iter().collect(), Vec::new()]).unwrap();
    assert!((0..40).all(|i| std::fs::read(writer.folder.join(format!("e/{i}.csv"))).unwrap() == [i]));
    assert_eq!(std::fs::read_dir(writer.folder.join("tmp")).unwrap().count(), 0);
    std::fs::remove_dir_all(&writer.folder).unwrap();
}

#[test]
fn a_wave_that_fails_keeps_the_next_one_back() {
    let writer = writer("wave");
    // A folder in the place of a file cannot be replaced by a file.
    std::fs::create_dir_all(writer.folder.join("a/b.csv/c")).unwrap();
    let files: [Whole; 2] = [("a/b.csv".into(), vec![1]), ("d.csv".into(), vec![1])];
    assert!(writer.put_waves(&[vec![&files[0]], vec![&files[1]]]).is_err());
    assert!(!writer.folder.join("d.csv").exists());
    assert_eq!(std::fs::read_dir(writer.folder.join("tmp")).unwrap().count(), 0);
    std::fs::remove_dir_all(&writer.folder).unwrap();
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let writer = writer("link");
    let outside = writer.folder.with_extension("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::create_dir_all(&writer.folder).unwrap();
    std::os::unix::fs::symlink(&outside, writer.folder.join("trials")).unwrap();
    let said = writer.put(Path::new("trials/a/000.csv"), b"x").unwrap_err().to_string();
    assert!(said.contains("trials: it is a link or a file, expected a folder"), "{said}");
    std::os::unix::fs::symlink(outside.join("b"), writer.folder.join("b")).unwrap();
    writer.put(Path::new("b"), b"x").unwrap();
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0, "a linked file is replaced, not followed");
    std::fs::remove_dir_all(&writer.folder).unwrap();
    std::fs::remove_dir_all(&outside).unwrap();
}

#[test]
fn only_the_files_of_processes_that_are_no_more_are_swept_away() {
    let writer = writer("sweep");
    writer.arrive().unwrap();
    assert!(!writer.is_busy());
    let file = |name: &str| writer.folder.join("tmp").join(name);
    // The same process at another start, and the same process in a container.
    let dead = format!("{}1-0", owner::own());
    let container = format!("1{}1-0", owner::own());
    let names = [dead.as_str(), &container, "host-1.7-0", "notes"];
    names.iter().for_each(|name| std::fs::write(file(name), "x").unwrap());
    assert!(writer.is_busy());
    writer.sweep();
    let left = names.map(|name| file(name).exists());
    assert_eq!(left, [!cfg!(target_os = "linux"), true, true, true]);
    assert!(writer.mark().exists());
    writer.leave();
    assert!(!writer.mark().exists());
    std::fs::remove_dir_all(&writer.folder).unwrap();
}
