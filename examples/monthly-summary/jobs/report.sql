-- @ksql name: report
-- @ksql dialect: 1
-- @ksql timeout: 300

-- One line a state, in the order a sales meeting reads them. UNION ALL keeps the order of its branches.
CREATE TEMP TABLE 状態別 AS
SELECT CONCAT('1 ', '受注') AS 区分, COUNT(*) AS 件数, SUM(金額) AS 合計金額 FROM LAPP_案件
WHERE 状態 = '受注' AND 受注予定日 >= @MONTH_START() AND 受注予定日 < @NEXT_MONTH_START()
UNION ALL
SELECT CONCAT('2 ', '商談中') AS 区分, COUNT(*) AS 件数, SUM(金額) AS 合計金額 FROM LAPP_案件
WHERE 状態 IN ('商談中', '見積提出') AND 受注予定日 >= @MONTH_START() AND 受注予定日 < @NEXT_MONTH_START()
UNION ALL
SELECT CONCAT('3 ', '失注') AS 区分, COUNT(*) AS 件数, SUM(金額) AS 合計金額 FROM LAPP_案件
WHERE 状態 = '失注' AND 受注予定日 >= @MONTH_START() AND 受注予定日 < @NEXT_MONTH_START();

ASSERT (SELECT COUNT(*) FROM 状態別) = 3, '状態別の集計が三行になりません';

SELECT 区分, 件数, 合計金額, @MONTH_START() AS 対象月 FROM 状態別 ORDER BY 区分;
