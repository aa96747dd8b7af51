import type { Migration } from './migration.ts'

/** The apps of the platform behind the channels: each has a callback address of its own. */
export const channelApps: Migration = {
  id: 25,
  name: 'channel_apps',
  statements: [
    // An app belongs to one account. The operator's own, whose secret is a setting, has the account '' and serves all.
    `create table channel_apps (
      id {key} primary key,
      callback_id {key} not null unique,
      account_id {key} not null,
      app_id {key} not null,
      app_secret text,
      verify_token text not null,
      handshake_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      unique (account_id, app_id)
    )`,
    // Which channel hears of a business account through an app. A row means: a token of that app proved its access.
    `create table channel_app_wabas (
      app_id {key} not null,
      waba_id {key} not null,
      channel_app_id {key} not null,
      channel_id {key} not null,
      account_id {key} not null,
      proved_at bigint not null,
      primary key (app_id, waba_id)
    )`,
    'create index channel_app_wabas_app on channel_app_wabas (channel_app_id)',
    'create index channel_app_wabas_channel on channel_app_wabas (channel_id)',
  ],
}
