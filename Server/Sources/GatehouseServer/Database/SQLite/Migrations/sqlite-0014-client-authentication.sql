-- Where a provider wants the client secret; null: as its discovery document says.
ALTER TABLE providers ADD COLUMN secret_place TEXT;
