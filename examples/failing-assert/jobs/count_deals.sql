-- @ksql name: count_deals
-- @ksql dialect: 1
-- @ksql timeout: 60

SELECT COUNT(*) AS 案件数 FROM LAPP_案件;
