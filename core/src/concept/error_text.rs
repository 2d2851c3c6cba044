//! Error texts: from the word that says so to the end of the sentence or line.

const OPENINGS: &[&str] = &[
    "error[",
    "error:",
    "fatal:",
    "panic:",
    "panicked at",
    "Error:",
    "Exception:",
    "npm ERR!",
    "ERROR:",
    "FATAL:",
    "Traceback (",
    "error TS",
    "assertion failed",
    "assertion `",
    "Segmentation fault",
    "Permission denied",
    "No such file or directory",
    "command not found",
    "Connection refused",
    "connection refused",
    "Cannot find module",
    "cannot find",
    "undefined reference",
    "deadlock detected",
    "duplicate key value",
    "syntax error",
];

/// Longest error text kept as one concept, in bytes: beyond it a line is a dump, not a message.
const LONGEST: usize = 200;

/// The byte range of an error text in `line`.
pub(super) fn find(line: &str) -> Option<(usize, usize)> {
    let at = OPENINGS.iter().filter_map(|opening| line.find(opening)).min()?;
    // `TypeError:` and `java.lang.Exception:` begin before the word that was found.
    let from = line
        .get(..at)?
        .rfind(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_' || c == ':'))
        .map_or(0, |i| i + line[i..].chars().next().map_or(1, char::len_utf8));
    let rest = line.get(from..)?.trim_end();
    let rest = rest.trim_end_matches(['`', '"', '*']);
    let mut end = rest.len().min(LONGEST);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    end = sentence_end(rest.get(..end)?).unwrap_or(end);
    let text = rest.get(..end)?;
    // "error:" alone says nothing.
    (text.len() > 12 && text.contains(' ')).then_some((from, from + end))
}

/// Where the sentence of the error ends, when another one follows on its line. One that asks or advises
/// ("Did you mean", "Please") is part of the error as a rule, but nothing tells the two apart.
fn sentence_end(error: &str) -> Option<usize> {
    let begins = |at: &usize| error.get(at + 2..).is_some_and(|next| next.starts_with(char::is_uppercase));
    error.match_indices(". ").map(|(at, _)| at).find(|at| *at > 12 && begins(at))
}

#[cfg(test)]
mod tests {
    use super::find;

    fn check(line: &str, expected: Option<&str>) {
        assert_eq!(find(line).map(|(from, to)| &line[from..to]), expected, "{line}");
    }

    #[test]
    fn the_error_goes_from_its_name_to_the_end_of_the_line() {
        check("  TypeError: x is not a function", Some("TypeError: x is not a function"));
        check("thread 'main' panicked at src/a.rs:3:5:", Some("panicked at src/a.rs:3:5:"));
        check("got error[E0433]: failed to resolve", Some("error[E0433]: failed to resolve"));
        check("It prints error: no space left on device. I deleted it.", Some("error: no space left on device"));
        check("an error in the code", None);
        check("error:", None);
    }
}
