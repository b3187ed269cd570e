-- Where the provider's discovery document is, if the issuer doesn't tell.
ALTER TABLE providers ADD COLUMN discovery_url TEXT;
-- A JSON array; null: the scopes that the provider offers.
ALTER TABLE providers ADD COLUMN scopes TEXT;
