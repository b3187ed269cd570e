-- When a key that is published ahead of the schedule begins to sign; null: as the schedule says.
ALTER TABLE signing_keys ADD COLUMN signs_from INTEGER;
