-- The address before the first change of the address.
ALTER TABLE accounts ADD COLUMN initial_email text COLLATE "C";
