import { house } from './0001-house.ts'
import { accounts } from './0002-accounts.ts'
import { channels } from './0003-channels.ts'
import { templates } from './0004-templates.ts'
import { messages } from './0005-messages.ts'
import { media } from './0006-media.ts'
import { webhooks } from './0007-webhooks.ts'
import { analytics } from './0008-analytics.ts'
import { consoleSessions } from './0009-console.ts'
import { people } from './0010-people.ts'
import { webhookCare } from './0011-webhook-care.ts'
import { consoleFigures } from './0012-console-figures.ts'
import { analyticsPairs } from './0013-analytics-pairs.ts'
import { failuresApart } from './0014-failures-apart.ts'
import { templateDays } from './0015-template-days.ts'
import { listeners } from './0016-listeners.ts'
import { eventTraces } from './0017-event-traces.ts'
import { messagesMove } from './0018-messages-move.ts'
import { boundedWork } from './0020-bounded-work.ts'
import { jobLanes } from './0021-job-lanes.ts'
import { tokensAndAudit } from './0022-tokens-and-audit.ts'
import { channelApps } from './0025-channel-apps.ts'
import { plans } from './0030-plans.ts'
import { mediaUsage } from './0031-media-usage.ts'
import { customers } from './0036-customers.ts'
import { customerLinks } from './0037-customer-links.ts'
import { templateEdits } from './0040-template-edits.ts'
import { conditions } from './0044-conditions.ts'
import { conversations } from './0046-conversations.ts'
import { twoFactor } from './0047-two-factor.ts'
import { requestAnswers } from './0048-request-answers.ts'
import { deliveriesUnderWay } from './0049-deliveries-under-way.ts'
import { stepsByName } from './0050-steps-by-name.ts'
import { createdWithAStep } from './0051-created-with-a-step.ts'
import { bytesInOrder } from './0052-bytes-in-order.ts'
import { jobsByLane } from './0053-jobs-by-lane.ts'
import { jobsEnqueuedAgain } from './0054-jobs-enqueued-again.ts'
import { refusedRequests } from './0055-refused-requests.ts'
import { blockedCustomers } from './0056-blocked-customers.ts'
import { templateTtl } from './0057-template-ttl.ts'
import type { Migration } from './migration.ts'

/** In order of their ids. */
export const migrations: readonly Migration[] = [
  house,
  accounts,
  channels,
  templates,
  messages,
  media,
  webhooks,
  analytics,
  consoleSessions,
  people,
  webhookCare,
  consoleFigures,
  analyticsPairs,
  failuresApart,
  templateDays,
  listeners,
  eventTraces,
  messagesMove,
  boundedWork,
  jobLanes,
  tokensAndAudit,
  channelApps,
  plans,
  mediaUsage,
  customers,
  customerLinks,
  templateEdits,
  conditions,
  conversations,
  twoFactor,
  requestAnswers,
  deliveriesUnderWay,
  stepsByName,
  createdWithAStep,
  bytesInOrder,
  jobsByLane,
  jobsEnqueuedAgain,
  refusedRequests,
  blockedCustomers,
  templateTtl,
]
