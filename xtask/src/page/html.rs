//! `index.html` is written for trunk; without trunk, its two links are replaced here.

/// What the page may do: its own files, nothing inline, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/// Nothing may stand before it: a policy holds only for what follows.
const CHARSET: &str = "<meta charset=\"utf-8\">";

const STYLE: &str = "<link rel=\"stylesheet\" href=\"page.css\">";

/// Everything is asked for at once: the wasm would else wait for the two scripts before it.
const PROGRAM: &str = "<link rel=\"modulepreload\" href=\"diffledger-web.js\">\n\
    <link rel=\"preload\" href=\"diffledger-web_bg.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n\
    <script type=\"module\" src=\"start.js\"></script>";

/// The `index.html` that is served, from the one that trunk reads.
pub(super) fn served(source: &str) -> Result<String, String> {
    let css = trunk_link(source, "css")?;
    let rust = trunk_link(source, "rust")?;
    let html = source.replacen(css, STYLE, 1).replacen(rust, PROGRAM, 1);
    if html.contains("data-trunk") {
        return Err("index.html has more for trunk than a link with rel=\"rust\" and one with rel=\"css\"\n".into());
    }
    let Some((before, after)) = html.split_once(CHARSET) else {
        return Err(format!("index.html has no `{CHARSET}`, which the page's policy has to follow\n"));
    };
    if before.contains("<script") || before.contains("<link") {
        return Err(format!("index.html loads something before `{CHARSET}`: move it behind\n"));
    }
    Ok(format!("{before}{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">{after}"))
}

/// The tag `<link data-trunk rel="…" …>`.
fn trunk_link<'a>(html: &'a str, rel: &str) -> Result<&'a str, String> {
    let tags = html.match_indices("<link").filter_map(|(at, _)| html.get(at..)?.split_inclusive('>').next());
    let rel = format!("rel=\"{rel}\"");
    let mut links = tags.filter(|tag| tag.contains("data-trunk") && tag.contains(&rel));
    links.next().ok_or_else(|| format!("index.html has no `<link data-trunk {rel} …>`: the page needs it\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "<!doctype html>\n<meta charset=\"utf-8\">\n<link rel=\"icon\" href=\"data:,\">\n\
                          <link data-trunk rel=\"rust\" href=\"web/Cargo.toml\">\n\
                          <link rel=\"css\" data-trunk href=\"web/page.css\">\n<p>text</p>\n";

    #[test]
    fn what_is_missing_is_named() {
        for (missing, named) in [("rel=\"rust\"", "rel=\"rust\""), ("rel=\"css\"", "rel=\"css\""), (CHARSET, CHARSET)] {
            let error = served(&SOURCE.replace(missing, "")).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn what_only_trunk_understands_is_an_error() {
        let third = "<link data-trunk rel=\"copy-file\" href=\"a.png\">";
        assert!(served(&format!("{SOURCE}{third}")).unwrap_err().contains("more for trunk"));
    }

    #[test]
    fn nothing_loads_before_the_policy() {
        let early = SOURCE.replace(CHARSET, &format!("<script src=\"a.js\"></script>{CHARSET}"));
        assert!(served(&early).unwrap_err().contains("before"));
    }

    #[test]
    fn only_the_links_for_trunk_change_and_all_addresses_are_relative() {
        let html = served(SOURCE).unwrap();
        let expected = SOURCE
            .replace("<link data-trunk rel=\"rust\" href=\"web/Cargo.toml\">", PROGRAM)
            .replace("<link rel=\"css\" data-trunk href=\"web/page.css\">", STYLE);
        let (head, rest) = html.split_once("<meta http-equiv").unwrap();
        assert_eq!(format!("{}{}", head.trim_end(), rest.split_once('>').unwrap().1), expected);
        assert!(!html.contains("=\"/") && !html.contains("://"), "{html}");
    }

    #[test]
    fn the_projects_own_page_has_all_of_it() {
        let source = std::fs::read_to_string(crate::command::workspace().join("index.html")).unwrap();
        assert_eq!(served(&source).err(), None);
    }
}
