-- What the role may change. The functions has_… decide as the server does when a statement is run, so nothing is
-- written, and no trigger runs. The right to make temporary tables, which every role has, changes no data.
SELECT what FROM (
  SELECT 1 AS rank, 'it is a superuser' AS what FROM pg_catalog.pg_roles r
    WHERE r.rolname = current_user AND r.rolsuper
  UNION ALL
  SELECT 2, 'it may create databases' FROM pg_catalog.pg_roles r WHERE r.rolname = current_user AND r.rolcreatedb
  UNION ALL
  SELECT 2, 'it may create roles' FROM pg_catalog.pg_roles r WHERE r.rolname = current_user AND r.rolcreaterole
  UNION ALL
  SELECT 3, 'it has the role ' || r.rolname FROM pg_catalog.pg_roles r
    WHERE r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend',
      'pg_maintain', 'pg_checkpoint') AND pg_catalog.pg_has_role(r.oid, 'MEMBER')
  UNION ALL
  SELECT 4, 'it may change the table ' || c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND (pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
        OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))
  UNION ALL
  SELECT 5, 'it may make tables in the schema ' || n.nspname FROM pg_catalog.pg_namespace n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
  UNION ALL
  SELECT 6, 'it may change the sequence ' || c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND CASE WHEN c.relkind = 'S'
      THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, UPDATE') END
  UNION ALL
  SELECT 7, 'it may make schemas in the database' WHERE pg_catalog.has_database_privilege(current_database(), 'CREATE')
) AS rights
ORDER BY rank, what
LIMIT 3
