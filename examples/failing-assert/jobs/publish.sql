-- @ksql name: publish_deals
-- @ksql dialect: 1
-- @ksql timeout: 60

-- Never reached in this example.
SELECT COUNT(*) AS 公開件数 FROM LAPP_案件;
