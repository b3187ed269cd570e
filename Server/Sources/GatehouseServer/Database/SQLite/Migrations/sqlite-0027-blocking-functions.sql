-- A project's blocking functions, with their secrets: see GatehouseAccounts, BlockingFunctions. NULL without
-- any.
ALTER TABLE projects ADD COLUMN blocking_functions BLOB /* sealed */;
