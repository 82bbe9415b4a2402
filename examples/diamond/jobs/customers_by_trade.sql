-- @ksql name: customers_by_trade
-- @ksql dialect: 1
-- @ksql timeout: 120

SELECT 業種, COUNT(顧客番号) AS 顧客数, SUM(与信限度額) AS 与信合計
FROM LAPP_顧客
GROUP BY 業種
ORDER BY 顧客数 DESC;
