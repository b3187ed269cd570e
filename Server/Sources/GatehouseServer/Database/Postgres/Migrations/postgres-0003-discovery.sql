-- Where the provider's discovery document is, if the issuer doesn't tell.
ALTER TABLE providers ADD COLUMN discovery_url text COLLATE "C";
-- A JSON array; null: the scopes that the provider offers.
ALTER TABLE providers ADD COLUMN scopes text COLLATE "C";
