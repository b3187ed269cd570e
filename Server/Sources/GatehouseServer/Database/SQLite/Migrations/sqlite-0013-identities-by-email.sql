-- Which account an address belongs to that only a provider told of.
CREATE INDEX identities_by_email ON identities (project, email) WHERE email IS NOT NULL;
