-- @ksql name: intake_gate
-- @ksql dialect: 1
-- @ksql timeout: 120

-- The month's deals must have arrived before anything is summed up. @MONTH_START() and
-- @NEXT_MONTH_START() come from the Run's period, not from today: a Run that is repeated
-- next week still looks at the same month.
ASSERT (SELECT COUNT(*) FROM LAPP_案件
        WHERE 受注予定日 >= @MONTH_START() AND 受注予定日 < @NEXT_MONTH_START()) > 0,
       '対象月の案件がまだ登録されていません';

-- Customers and stock are needed by the reports that follow.
ASSERT (SELECT COUNT(*) FROM LAPP_顧客) > 0, '顧客が登録されていません';
