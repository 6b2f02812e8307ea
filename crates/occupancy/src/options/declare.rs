//! The macros that declare options.

/// Declares a struct of options and implements [`Options`](crate::options::Options): for each option its meaning, type, default, and
/// the values it takes in words and as a predicate. A line `with field: Group = default;` takes in a group of options that is
/// declared elsewhere; groups stand together, with options before and after them.
///
/// ```
/// occupancy::options! {
///     /// The options of a learner that explores now and then.
///     pub struct Greedy {
///         /// How often any action is taken.
///         share: f64 = 0.1, "a number from 0 to 1" => |share| (0.0..=1.0).contains(share);
///     }
/// }
///
/// use occupancy::options::Options;
/// let mut options = Greedy::default();
/// options.assign("share", "0.5", false).unwrap().unwrap();
/// assert_eq!(options.infos()[0].value, "0.5");
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $options:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $kind:ty = $default:expr, $expected:expr => $in_range:expr;
            )*
        }
    ) => {
        $crate::options! {
            $(#[$meta])*
            pub struct $options {
                $($(#[doc = $about])+ $field: $kind = $default, $expected => $in_range;)*
                with {}
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $options:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $kind:ty = $default:expr, $expected:expr => $in_range:expr;
            )*
            with { $($(#[doc = $group_about:literal])+ $group:ident: $group_kind:ty = $group_default:expr;)* }
            $(
                $(#[doc = $late_about:literal])+
                $late:ident: $late_kind:ty = $late_default:expr, $late_expected:expr => $late_in_range:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $options {
            $($(#[doc = $about])+ pub $field: $kind,)*
            $($(#[doc = $group_about])+ pub $group: $group_kind,)*
            $($(#[doc = $late_about])+ pub $late: $late_kind,)*
        }

        impl Default for $options {
            fn default() -> $options {
                $options {
                    $($field: $default,)*
                    $($group: $group_default,)*
                    $($late: $late_default,)*
                }
            }
        }

        impl $crate::options::Options for $options {
            fn infos(&self) -> Vec<$crate::options::OptionInfo> {
                [
                    vec![$($crate::options::info(
                        stringify!($field),
                        concat!($($about),+).trim_ascii(),
                        $expected,
                        &self.$field,
                        $in_range,
                    )),*],
                    $($crate::options::Options::infos(&self.$group),)*
                    vec![$($crate::options::info(
                        stringify!($late),
                        concat!($($late_about),+).trim_ascii(),
                        $late_expected,
                        &self.$late,
                        $late_in_range,
                    )),*],
                ]
                .concat()
            }

            fn assign(&mut self, option: &str, text: &str, again: bool) -> Option<$crate::Result<()>> {
                $(if option == stringify!($field) {
                    return Some($crate::options::assign(&mut self.$field, stringify!($field), text, $expected, again));
                })*
                $(if let Some(assigned) = $crate::options::Options::assign(&mut self.$group, option, text, again) {
                    return Some(assigned);
                })*
                $(if option == stringify!($late) {
                    return Some($crate::options::assign(&mut self.$late, stringify!($late), text, $late_expected, again));
                })*
                let _ = (option, text, again);
                None
            }
        }
    };
}

/// Declares an option that is one of a few words, each with its meaning.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$about:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $crate::options::OptionValue for $name {
            const FORM: $crate::options::Form = $crate::options::Form::Word;

            fn parse(text: &str) -> Option<$name> {
                match text {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }

            fn show(&self) -> String {
                match self {
                    $($name::$variant => $word.to_string(),)+
                }
            }
        }
    };
}
