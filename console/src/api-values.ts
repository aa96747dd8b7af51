// Generated from server/src/contract and docs/guides by scripts/generate.ts.
export const eventTypes = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.received",
  "message.failed",
  "message.canceled",
  "message.standby",
  "message.echoed",
  "conversation.control_changed",
  "conversation.assigned",
  "conversation.closed",
  "customer.preference_changed",
  "payment.updated",
  "broadcast.started",
  "broadcast.held",
  "broadcast.paused",
  "broadcast.resumed",
  "broadcast.completed",
  "broadcast.canceled",
  "template.status_changed",
  "template.quality_changed",
  "template.category_changed",
  "template.category_change_announced",
  "number.quality_changed",
  "number.limit_changed",
  "number.name_changed",
  "number.username_changed",
  "number.throughput_changed",
  "account.restricted",
  "account.warned",
  "account.restored",
  "channel.token_expiring",
  "channel.token_lost",
  "channel.disconnected",
  "channel.reconnected",
  "webhook.failing",
  "webhook.disabled",
  "budget.warned",
  "budget.exceeded",
  "account.quota_warning"
] as const
export const scopeMeanings = {
  "messages:send": "Send messages",
  "messages:read": "Read messages",
  "templates:read": "Read templates",
  "templates:write": "Change templates",
  "media:write": "Upload media",
  "media:read": "Download media",
  "webhooks:read": "Read webhooks",
  "webhooks:write": "Change webhooks",
  "analytics:read": "Read analytics",
  "costs:read": "See what messages cost",
  "budgets:write": "Limit what messages may cost",
  "profile:read": "Read the business profile",
  "profile:write": "Change the business profile",
  "broadcasts:read": "Read broadcasts",
  "broadcasts:write": "Prepare and control broadcasts",
  "conversations:read": "See the inbox and who handles a conversation",
  "conversations:write": "Assign, close and pass on conversations",
  "blocked:read": "See blocked customers",
  "blocked:write": "Block and unblock customers",
  "customers:read": "See customers",
  "customers:write": "Record what customers allow",
  "graph:pass": "Make other calls to Meta's API"
} as const
export const scopePresets = {
  "full": [
    "messages:send",
    "messages:read",
    "templates:read",
    "templates:write",
    "media:write",
    "media:read",
    "webhooks:read",
    "webhooks:write",
    "analytics:read",
    "costs:read",
    "budgets:write",
    "profile:read",
    "profile:write",
    "broadcasts:read",
    "broadcasts:write",
    "conversations:read",
    "conversations:write",
    "blocked:read",
    "blocked:write",
    "customers:read",
    "customers:write"
  ],
  "send_only": [
    "messages:send",
    "media:write",
    "templates:read"
  ],
  "read_only": [
    "messages:read",
    "templates:read",
    "media:read",
    "webhooks:read",
    "analytics:read",
    "costs:read",
    "profile:read",
    "blocked:read",
    "broadcasts:read",
    "conversations:read",
    "customers:read"
  ]
} as const
export const toolScopes = {
  "chatwoot": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read"
  ],
  "typebot": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read"
  ],
  "n8n": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read",
    "webhooks:write"
  ],
  "pywa": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read",
    "webhooks:write"
  ],
  "evolution": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read"
  ],
  "generic": [
    "messages:send",
    "messages:read",
    "media:write",
    "media:read",
    "templates:read",
    "profile:read"
  ]
} as const
export const sentTypes = [
  "text",
  "template",
  "image",
  "document",
  "audio",
  "video",
  "interactive",
  "location",
  "contacts",
  "sticker",
  "reaction"
] as const
export const verticals = {
  "ALCOHOL": "Alcoholic beverages",
  "APPAREL": "Clothing and apparel",
  "AUTO": "Automotive",
  "BEAUTY": "Beauty, spa and salon",
  "EDU": "Education",
  "ENTERTAIN": "Entertainment",
  "EVENT_PLAN": "Event planning and service",
  "FINANCE": "Finance and banking",
  "GOVT": "Public service",
  "GROCERY": "Food and grocery",
  "HEALTH": "Medical and health",
  "HOTEL": "Hotel and lodging",
  "NONPROFIT": "Non-profit",
  "ONLINE_GAMBLING": "Online gambling and gaming",
  "OTC_DRUGS": "Over-the-counter drugs",
  "OTHER": "Other",
  "PHYSICAL_GAMBLING": "Non-online gambling and gaming",
  "PROF_SERVICES": "Professional services",
  "RESTAURANT": "Restaurant",
  "RETAIL": "Shopping and retail",
  "TRAVEL": "Travel and transportation"
} as const
export const guides = [
  {
    "slug": "quick-start",
    "title": "Quick start",
    "summary": "send a first message, and receive an event in your own service"
  },
  {
    "slug": "authentication",
    "title": "Authentication and scopes",
    "summary": "API keys, access tokens, and what a key may do"
  },
  {
    "slug": "go-live",
    "title": "Going live",
    "summary": "from a Meta developer account to the first real message"
  },
  {
    "slug": "sending",
    "title": "Sending messages",
    "summary": "text, templates, files, buttons, lists and more, with an example of each"
  },
  {
    "slug": "message-lifecycle",
    "title": "Message lifecycle",
    "summary": "deadlines, the 24-hour window, statuses, and lost responses"
  },
  {
    "slug": "scheduling",
    "title": "Queued and scheduled messages",
    "summary": "queue a message, schedule it for later, and cancel it"
  },
  {
    "slug": "broadcasts",
    "title": "Broadcasts",
    "summary": "send one template to a list, and see the result for each recipient"
  },
  {
    "slug": "receiving",
    "title": "Receiving messages",
    "summary": "what customers send, and how to reply"
  },
  {
    "slug": "other-responders",
    "title": "Other responders",
    "summary": "conversations that an AI agent, another provider or the WhatsApp Business app handles"
  },
  {
    "slug": "templates",
    "title": "Templates",
    "summary": "create one, get it approved, send it"
  },
  {
    "slug": "template-lifecycle",
    "title": "Template lifecycle",
    "summary": "reviews, edits, and changes made by Meta"
  },
  {
    "slug": "media",
    "title": "Media",
    "summary": "upload, send and download files"
  },
  {
    "slug": "files",
    "title": "Files: types, storage, retention",
    "summary": "types, limits, storage and retention"
  },
  {
    "slug": "inbox",
    "title": "The inbox",
    "summary": "waiting customers, assignees, saved replies, service times"
  },
  {
    "slug": "costs",
    "title": "What messages cost",
    "summary": "rate cards, costs by template, country and number, and budgets"
  },
  {
    "slug": "customers",
    "title": "Customers",
    "summary": "linked addresses, marketing consent, stop words"
  },
  {
    "slug": "erasing-customers",
    "title": "Erase a customer",
    "summary": "what is erased, what stays, and when the bytes are gone"
  },
  {
    "slug": "profile-and-blocking",
    "title": "Profile and blocked customers",
    "summary": "your business profile, and blocking customers"
  },
  {
    "slug": "order-update",
    "title": "Send an order update",
    "summary": "once per order, tracked to delivered or failed"
  },
  {
    "slug": "invoice",
    "title": "Send an invoice",
    "summary": "a PDF, inside and outside the 24-hour window"
  },
  {
    "slug": "broadcast-from-csv",
    "title": "Broadcast from a CSV file",
    "summary": "check a list, send it once, read the results"
  },
  {
    "slug": "one-time-codes",
    "title": "One-time codes",
    "summary": "a template with a button that copies the code"
  },
  {
    "slug": "reply-or-template",
    "title": "Reply inside the window, template outside",
    "summary": "one call for both"
  },
  {
    "slug": "stop",
    "title": "Handle STOP",
    "summary": "stop words and marketing opt-outs"
  },
  {
    "slug": "support-bot",
    "title": "A support bot",
    "summary": "replies with buttons, without a public address"
  },
  {
    "slug": "ci",
    "title": "Test in CI with the sandbox",
    "summary": "a gateway for each run, without an account"
  },
  {
    "slug": "budgets",
    "title": "Limit what an API key spends",
    "summary": "import a rate card, set a budget, reach its limit"
  },
  {
    "slug": "three-nodes",
    "title": "Run on three nodes",
    "summary": "from one PostgreSQL to a load balancer"
  },
  {
    "slug": "sqlite-to-postgresql",
    "title": "From SQLite to PostgreSQL",
    "summary": "`postern copy`, checked and resumable"
  },
  {
    "slug": "webhooks",
    "title": "Webhooks",
    "summary": "receive events and check their signature in Node, Python, PHP and Go"
  },
  {
    "slug": "webhook-delivery",
    "title": "How webhooks are delivered",
    "summary": "verification, retries, states, guarantees, statistics"
  },
  {
    "slug": "events",
    "title": "Events",
    "summary": "every event type and its fields"
  },
  {
    "slug": "guarantees",
    "title": "Guarantees",
    "summary": "what Postern promises, and how each promise was measured"
  },
  {
    "slug": "errors-and-retries",
    "title": "Errors and retries",
    "summary": "how to read an error, and which calls to retry"
  },
  {
    "slug": "idempotency",
    "title": "Idempotency",
    "summary": "retry a call without sending the message twice"
  },
  {
    "slug": "rate-limits",
    "title": "Rate limits and plans",
    "summary": "the quota of your plan, and Meta's limits"
  },
  {
    "slug": "pagination",
    "title": "Pagination",
    "summary": "read long lists page by page"
  },
  {
    "slug": "versions",
    "title": "Versions and compatibility",
    "summary": "what can change inside `/v1`, and how long a version is supported"
  },
  {
    "slug": "tools",
    "title": "Tools for Meta's Cloud API",
    "summary": "connect software written for Meta's API to Postern"
  },
  {
    "slug": "chatwoot",
    "title": "Chatwoot behind Postern",
    "summary": "its WhatsApp Cloud inbox, step by step"
  },
  {
    "slug": "n8n",
    "title": "n8n behind Postern",
    "summary": "with general nodes, or with its WhatsApp nodes unchanged"
  },
  {
    "slug": "pywa",
    "title": "pywa behind Postern",
    "summary": "a transport of eight lines"
  },
  {
    "slug": "more-tools",
    "title": "Typebot, Evolution API and others",
    "summary": "the settings of each tool"
  },
  {
    "slug": "several-tools",
    "title": "Several tools on one number",
    "summary": "which tool gets which messages and statuses"
  },
  {
    "slug": "testing",
    "title": "Testing with the sandbox",
    "summary": "magic numbers, scenarios, and Postern in your own CI"
  },
  {
    "slug": "sdk",
    "title": "SDK for TypeScript and JavaScript",
    "summary": "the client for Node, Bun, Deno and workers"
  },
  {
    "slug": "sdk-python",
    "title": "SDK for Python",
    "summary": "one typed file without dependencies"
  },
  {
    "slug": "other-languages",
    "title": "A client for another language",
    "summary": "generate one from the OpenAPI document, here for Go"
  },
  {
    "slug": "cli",
    "title": "Command line",
    "summary": "send messages, forward events and inspect a gateway from a terminal"
  },
  {
    "slug": "examples",
    "title": "Examples",
    "summary": "small programs to copy: webhooks, a support bot, bulk sends"
  },
  {
    "slug": "from-meta",
    "title": "From Meta's Cloud API",
    "summary": "put Postern between your software and Meta"
  },
  {
    "slug": "from-twilio",
    "title": "From Twilio",
    "summary": "how Twilio's calls and webhooks map to Postern's"
  },
  {
    "slug": "from-360dialog",
    "title": "From 360dialog",
    "summary": "what is different, and how to move your number"
  },
  {
    "slug": "deploy",
    "title": "Deploy",
    "summary": "Docker, Kubernetes, systemd, a reverse proxy"
  },
  {
    "slug": "configuration",
    "title": "Configuration",
    "summary": "every setting"
  },
  {
    "slug": "sign-in",
    "title": "Signing in to the console",
    "summary": "sessions, two-factor authentication, and account recovery"
  },
  {
    "slug": "channels",
    "title": "Channels",
    "summary": "connect a WhatsApp Business account and keep it healthy"
  },
  {
    "slug": "platform",
    "title": "Meta platform coverage",
    "summary": "what Postern supports, topic by topic, and what it leaves out"
  },
  {
    "slug": "scale",
    "title": "Several nodes",
    "summary": "many processes on one PostgreSQL"
  },
  {
    "slug": "monitoring",
    "title": "Monitoring",
    "summary": "metrics, logs, alerts and a runbook"
  },
  {
    "slug": "backup",
    "title": "Backup and restore",
    "summary": "back up everything into one file, while the gateway runs"
  },
  {
    "slug": "upgrade",
    "title": "Upgrade",
    "summary": "move to a new version without downtime"
  },
  {
    "slug": "sandbox-scenario",
    "title": "Sandbox scenarios",
    "summary": "every condition and effect"
  },
  {
    "slug": "media-store",
    "title": "Media outside the database",
    "summary": "files in an S3-compatible bucket"
  },
  {
    "slug": "capacity",
    "title": "Capacity",
    "summary": "disk, CPU and log volume by messages per second"
  },
  {
    "slug": "meta-dialect",
    "title": "Meta-compatible API",
    "summary": "every call and error for tools written for Meta's Cloud API"
  },
  {
    "slug": "analytics",
    "title": "Analytics",
    "summary": "what is counted, and how"
  },
  {
    "slug": "sandbox",
    "title": "Sandbox",
    "summary": "complete reference, and where it differs from Meta"
  }
] as const
