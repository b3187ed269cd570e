-- The member of a project's policies is called as the setting is.
UPDATE projects
SET policies = json_remove(
  json_set(policies, '$.rateLimits', json_extract(policies, '$.brake')), '$.brake')
WHERE json_type(policies, '$.brake') IS NOT NULL;
