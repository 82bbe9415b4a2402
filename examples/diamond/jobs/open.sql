-- @ksql name: diamond_open
-- @ksql dialect: 1
-- @ksql timeout: 60

-- Both branches read these apps; an empty one would make both of them say "nothing", quietly.
ASSERT (SELECT COUNT(*) FROM LAPP_在庫) > 0, '在庫が登録されていません';
ASSERT (SELECT COUNT(*) FROM LAPP_顧客) > 0, '顧客が登録されていません';
