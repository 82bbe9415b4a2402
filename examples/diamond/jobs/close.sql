-- @ksql name: diamond_close
-- @ksql dialect: 1
-- @ksql timeout: 60

-- The end of the diamond runs only when both branches succeeded.
SELECT COUNT(*) AS 在庫件数 FROM LAPP_在庫;
