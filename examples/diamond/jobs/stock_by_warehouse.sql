-- @ksql name: stock_by_warehouse
-- @ksql dialect: 1
-- @ksql timeout: 120

CREATE TEMP TABLE 倉庫別 AS
SELECT 倉庫, COUNT(品番) AS 品目数, SUM(数量) AS 総数量, MIN(数量) AS 最少数量, AVG(単価) AS 平均単価
FROM LAPP_在庫
GROUP BY 倉庫;

SELECT 倉庫, 品目数, 総数量, 最少数量, 平均単価 FROM 倉庫別 ORDER BY 総数量 DESC;
