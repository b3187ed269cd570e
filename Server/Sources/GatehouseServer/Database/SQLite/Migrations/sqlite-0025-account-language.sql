-- The language that the app named at the latest sign-in: a BCP 47 tag.
ALTER TABLE accounts ADD COLUMN language TEXT;
