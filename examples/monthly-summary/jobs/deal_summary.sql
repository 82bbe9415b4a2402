-- @ksql name: deal_summary
-- @ksql dialect: 1
-- @ksql timeout: 300

-- The deals of the period, once. Every later statement works on this table.
CREATE TEMP TABLE 月次案件 AS
SELECT 案件番号, 部署, 状態, 確度, 金額
FROM LAPP_案件
WHERE 受注予定日 >= @MONTH_START() AND 受注予定日 < @NEXT_MONTH_START();

CREATE TEMP TABLE 部署別 AS
SELECT 部署, COUNT(案件番号) AS 件数, SUM(金額) AS 合計金額, MAX(金額) AS 最大金額
FROM 月次案件
GROUP BY 部署;

-- Nothing may be lost or counted twice on the way from the deals to the departments.
ASSERT (SELECT SUM(件数) FROM 部署別) = (SELECT COUNT(*) FROM 月次案件), '部署別の件数が明細と合いません';
ASSERT (SELECT SUM(合計金額) FROM 部署別) = (SELECT SUM(金額) FROM 月次案件), '部署別の金額が明細と合いません';

SELECT 部署, 件数, 合計金額, 最大金額 FROM 部署別 ORDER BY 合計金額 DESC;
