// Generated from server/src/contract and docs/guides by scripts/generate.ts.
export const eventTypes = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.received",
  "message.failed",
  "message.standby",
  "message.echoed",
  "conversation.control_changed",
  "customer.preference_changed",
  "template.status_changed",
  "template.quality_changed",
  "template.category_changed",
  "template.category_change_announced",
  "number.quality_changed",
  "number.limit_changed",
  "number.name_changed",
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
  "profile:read": "Read the business profile",
  "profile:write": "Change the business profile",
  "conversations:read": "See who handles a conversation",
  "conversations:write": "Pass, release and take conversations",
  "blocked:read": "See blocked customers",
  "blocked:write": "Block and unblock customers",
  "customers:read": "See customers",
  "customers:write": "Record what customers allow"
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
    "profile:read",
    "profile:write",
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
    "profile:read",
    "blocked:read",
    "conversations:read",
    "customers:read"
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
    "slug": "media",
    "title": "Media",
    "summary": "upload, send and download files"
  },
  {
    "slug": "customers",
    "title": "Customers",
    "summary": "one person with all their addresses, and what they allow"
  },
  {
    "slug": "profile-and-blocking",
    "title": "Profile and blocked customers",
    "summary": "your business profile, and blocking customers"
  },
  {
    "slug": "webhooks",
    "title": "Webhooks",
    "summary": "receive events and check their signature in Node, Python, PHP and Go"
  },
  {
    "slug": "events",
    "title": "Events",
    "summary": "every event type and its fields"
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
    "title": "Tools that speak Meta's dialect",
    "summary": "send through Postern with software written for Meta's Cloud API"
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
    "slug": "message-details",
    "title": "Messages in detail",
    "summary": "deadlines, the 24-hour window, lost responses, erasing a person's data"
  },
  {
    "slug": "template-details",
    "title": "Templates in detail",
    "summary": "reviews, edits, and synchronisation with Meta"
  },
  {
    "slug": "media-details",
    "title": "Media in detail",
    "summary": "file types, storage and retention"
  },
  {
    "slug": "media-store",
    "title": "Media outside the database",
    "summary": "files in an S3-compatible bucket"
  },
  {
    "slug": "capacity",
    "title": "Capacity",
    "summary": "disk, CPU and log by messages a second"
  },
  {
    "slug": "webhook-details",
    "title": "Webhooks in detail",
    "summary": "retries, states, guarantees, statistics"
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
