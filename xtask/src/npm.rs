//! npm and the tools that it installs, of the versions in the lock files.

use std::fs;
use std::process::Command;

use crate::command;

/// A copy of the lock that `node_modules` was installed from.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// npm, with the words of `line` as its arguments.
pub(crate) fn npm(line: &str) -> Result<Command, String> {
    let program = command::find(&["npm"]).ok_or("npm is not on PATH: install Node 20 or newer\n")?;
    let mut command = Command::new(program);
    command.args(line.split_whitespace());
    Ok(command)
}

/// Installs what the lock in `folder` says, unless that is what is there. Scripts of packages do
/// not run: nothing that is used here needs them.
pub(crate) fn install(folder: &str) -> Result<(), String> {
    let folder = command::workspace().join(folder);
    let (lock, installed) = (folder.join("package-lock.json"), folder.join(INSTALLED));
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}\n", lock.display()))?;
    if fs::read(&installed).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    let mut command = npm("ci --ignore-scripts --no-audit --no-fund --prefix")?;
    command.arg(&folder);
    command::run(command)?;
    fs::write(&installed, wanted).map_err(|error| format!("{}: {error}\n", installed.display()))
}

/// The program `name` of those that are installed in `folder`, with the words of `line`.
pub(crate) fn tool(folder: &str, name: &str, line: &str) -> Command {
    let mut command = Command::new(command::workspace().join(folder).join("node_modules/.bin").join(name));
    command.args(line.split_whitespace());
    command
}

/// The call of Node that runs the files `*.test.mjs` in `folders`, with what their locks say.
pub(crate) fn test(folders: &[&str]) -> Result<Command, String> {
    let mut files = Vec::new();
    for name in folders {
        let folder = command::workspace().join(name);
        if folder.join("package-lock.json").exists() {
            install(name)?;
        }
        let failed = |error: std::io::Error| format!("{}: {error}\n", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.to_string_lossy().ends_with(".test.mjs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut command = Command::new("node");
    command.args(["--test", "--test-reporter=tap"]).args(files);
    Ok(command)
}
