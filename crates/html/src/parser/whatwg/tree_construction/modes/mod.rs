//! The rules by insertion mode (section 13.2.6.4).

mod anything_else;
mod body;
mod body_end;
mod dispatch;
mod head;
mod outside;
mod table;
