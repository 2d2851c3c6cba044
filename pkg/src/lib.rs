//! diffledger for JavaScript. (Thin: the package follows.)
