//! Chromium and its driver: named by the environment, on PATH, or installed through apt.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::command;

/// A Chromium and the chromedriver that fits it.
pub(crate) struct Browser {
    /// Chromium or Chrome.
    pub(crate) chrome: PathBuf,
    /// Its WebDriver server.
    pub(crate) driver: PathBuf,
}

const CHROME_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Finds both, or installs both where that needs no password.
pub(crate) fn find() -> Result<Browser, String> {
    if let Some(browser) = present()? {
        return Ok(browser);
    }
    let advice = "install Chromium with its chromedriver, or set CHROME and CHROMEDRIVER to their paths";
    install().map_err(|why| format!("no Chromium with chromedriver here, and {why}: {advice}\n"))?;
    present()?.ok_or_else(|| format!("apt-get installed no Chromium with chromedriver on PATH: {advice}\n"))
}

impl Browser {
    /// What the test runner asks the driver for. Without `binary` the driver looks in its own places.
    pub(crate) fn capabilities(&self) -> String {
        let arguments = ["disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"];
        json!({ "goog:chromeOptions": { "binary": self.chrome, "args": arguments } }).to_string()
    }
}

fn present() -> Result<Option<Browser>, String> {
    let chrome = locate("CHROME", &CHROME_NAMES)?;
    let driver = locate("CHROMEDRIVER", &["chromedriver"])?;
    Ok(chrome.zip(driver).map(|(chrome, driver)| Browser { chrome, driver }))
}

/// A variable that names no file is an error: taking another browser would hide the mistake.
fn locate(variable: &str, names: &[&str]) -> Result<Option<PathBuf>, String> {
    match env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from) {
        Some(path) if path.is_file() => Ok(Some(path)),
        Some(path) => Err(format!("{variable} is `{}`, which is no file\n", path.display())),
        None => Ok(command::find(names)),
    }
}

fn install() -> Result<(), String> {
    if command::find(&["apt-get"]).is_none() {
        return Err("no apt-get to install it".into());
    }
    let sudo = if answer("id", &["-u"]).as_deref() == Some("0") {
        false
    } else if answer("sudo", &["-n", "true"]).is_some() {
        true
    } else {
        return Err("neither root nor sudo without a password to install it".into());
    };
    println!("        installing chromium and chromium-driver through apt-get");
    // One list of packages that cannot be fetched need not be the one that matters.
    let updated = apt_get(sudo, &["update"]);
    apt_get(sudo, &["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"]).map_err(|output| {
        print!("{}{output}", updated.err().unwrap_or_default());
        "apt-get (its output is above) could not install it".into()
    })
}

fn apt_get(sudo: bool, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(if sudo { "sudo" } else { "env" });
    if sudo {
        command.args(["-n", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments);
    command::run(command).map(drop)
}

fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments);
    command::run(command).ok().map(|output| output.trim().to_owned())
}
