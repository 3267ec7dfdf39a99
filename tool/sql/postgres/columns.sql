-- The columns that the role may read, of tables and views, without those of the system: name of the table as a
-- statement writes it, its shown name, is it a view, column, type, is it part of the primary key.
SELECT pg_catalog.format('%I.%I', n.nspname, c.relname),
  CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname ELSE n.nspname || '.' || c.relname END,
  c.relkind IN ('v', 'm'), a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
  COALESCE((SELECT a.attnum = ANY (k.conkey) FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = c.oid AND k.contype = 'p'), false)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum
LIMIT 20000
