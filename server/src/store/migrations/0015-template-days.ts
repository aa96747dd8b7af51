import type { Migration } from './migration.ts'

/** How often each language of a template was used, day by day. The roll-ups know templates by name alone. */
export const templateDays: Migration = {
  id: 15,
  name: 'template days',
  statements: [
    `alter table analytics_steps add column language text not null default ''`,
    `create table template_days (
      account_id {key} not null,
      template {key} not null,
      language {key} not null,
      day bigint not null,
      sent bigint not null,
      delivered bigint not null,
      read bigint not null,
      failed bigint not null,
      primary key (account_id, template, language, day)
    )`,
    'create index template_days_age on template_days (day)',
  ],
}
