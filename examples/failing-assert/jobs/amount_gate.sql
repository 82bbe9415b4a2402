-- @ksql name: amount_gate
-- @ksql dialect: 1
-- @ksql timeout: 60

-- There are always lost deals in the sample data, so this gate never opens.
ASSERT (SELECT COUNT(*) FROM LAPP_案件 WHERE 状態 = '失注') = 0, '失注の案件が残っています';
