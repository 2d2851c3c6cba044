//! What the tests share. (Under construction.)
