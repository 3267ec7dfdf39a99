-- The foreign keys: name of the table as in columns.sql, and customer → customers.id.
SELECT pg_catalog.format('%I.%I', n.nspname, c.relname),
  (SELECT string_agg(a.attname, ', ' ORDER BY k.position) FROM unnest(f.conkey) WITH ORDINALITY AS k(number, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number) || ' → ' ||
  CASE WHEN pg_catalog.pg_table_is_visible(t.oid) THEN t.relname ELSE tn.nspname || '.' || t.relname END || '.' ||
  (SELECT string_agg(a.attname, ', ' ORDER BY k.position) FROM unnest(f.confkey) WITH ORDINALITY AS k(number, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number)
FROM pg_catalog.pg_constraint f
JOIN pg_catalog.pg_class c ON c.oid = f.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class t ON t.oid = f.confrelid
JOIN pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace
WHERE f.contype = 'f'
ORDER BY 1, 2
