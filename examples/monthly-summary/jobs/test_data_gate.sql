-- @ksql name: test_data_gate
-- @ksql dialect: 1
-- @ksql timeout: 120

-- Deals entered for training must never reach the figures.
ASSERT (SELECT COUNT(*) FROM LAPP_案件 WHERE データ区分 IN ('テスト', '研修')) = 0,
       'テスト用の案件が混ざっています';
