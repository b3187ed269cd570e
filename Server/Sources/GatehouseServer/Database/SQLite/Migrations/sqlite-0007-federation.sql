-- A client without a secret, whose codes PKCE alone protects.
ALTER TABLE providers ADD COLUMN is_public_client INTEGER NOT NULL DEFAULT 0;

-- What Apple said of a person at the first sign-in: 0 unsupported, 1 unknown, 2 likely real.
ALTER TABLE identities ADD COLUMN real_user_status INTEGER;
