// Generated from docs/api/console.json by scripts/generate.ts: change the schemas of the server.

type Json<Body> = { content: { "application/json": Body } };
type Answer<Data> = Json<{ success: true; data: Data }>;

export interface paths {
    "/console/api/account": {
        /** The account and its settings */
        get: operations["getAccount"];
        /** Rename the account */
        put: operations["renameAccount"];
    };
    "/console/api/account/two-factor": {
        /** Whether every member needs two-factor sign-in. Members without it set it up when they sign in next. */
        put: operations["requireTwoFactor"];
    };
    "/console/api/analytics": {
        /** Get messaging analytics. Counts messages over time, grouped as you choose. */
        get: operations["getAnalytics"];
    };
    "/console/api/assignees": {
        /** List who can be assigned to conversations */
        get: operations["listAssignees"];
    };
    "/console/api/audit": {
        /** Audit log, newest first */
        get: operations["listAuditLog"];
    };
    "/console/api/automation": {
        /** Get the ice breakers and commands of a number */
        get: operations["getAutomation"];
        /** Replace the ice breakers and commands of a number */
        put: operations["setAutomation"];
    };
    "/console/api/blocked": {
        /** List the blocked customers of a number. Without the scope `messages:read`, numbers have only their first and last digits. */
        get: operations["listBlocked"];
        /** Block customers who wrote in the last 24 hours. Blocked customers cannot write to the number, do not see it online, and cannot be written to. Each customer is handled separately: `failed` names those who could not be blocked. When none could, the response is the error of the first. Safe to repeat. */
        post: operations["blockCustomers"];
    };
    "/console/api/blocked/{customer}": {
        /** Unblock a customer */
        delete: operations["unblockCustomer"];
    };
    "/console/api/broadcasts": {
        /** List broadcasts, newest first */
        get: operations["listBroadcasts"];
        /** Create a broadcast. A draft; upload its recipients, then start it. With `recipients` and `start` or `start_at` everything happens in one call, or nothing if a recipient is not valid. Starting also needs the scope `messages:send`. */
        post: operations["createBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}": {
        /** Get a broadcast with its progress */
        get: operations["getBroadcast"];
        /** Change a broadcast. Changes the given fields. Number, template and values can be changed in a draft only. */
        put: operations["updateBroadcast"];
        /** Delete a broadcast. A draft, or one that has ended. Its messages stay. */
        delete: operations["deleteBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/cancel": {
        /** Cancel a broadcast. Recipients who have not been processed get nothing. This cannot be undone. Safe to repeat. */
        post: operations["cancelBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/copy": {
        /** Copy some recipients into a new draft. The new draft has the same template and values. Recipients who failed with `recipient_marketing_limited` less than a day ago are left out: a second try within a day makes the limit worse. */
        post: operations["copyBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/estimate": {
        /** Estimate the reach, duration and cost of a broadcast */
        get: operations["estimateBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/pause": {
        /** Pause a broadcast. After the response, no new recipients are processed; only the few messages already on their way to Meta are still sent. A scheduled broadcast becomes a draft again. Safe to repeat. */
        post: operations["pauseBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/preview": {
        /** Preview the message of one recipient. Also needs the scope `messages:read`, because it shows the contents of the file. */
        post: operations["previewBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/recipients": {
        /** List recipients with their results. Also needs the scope `messages:read`. */
        get: operations["listRecipients"];
        /** Add recipients to a broadcast. As JSON with up to 1,000 recipients, or as a file of up to 256 MiB: `text/csv`, whose first line names the columns, or `application/x-ndjson` with one recipient as JSON in each line. Invalid lines are skipped and reported. An upload takes effect when it completes: an interrupted upload adds nothing, and neither does uploading the same file again. */
        post: operations["uploadRecipients"];
    };
    "/console/api/broadcasts/{broadcast_id}/recipients.csv": {
        /** Download recipients with their results. As CSV, with the scope `costs:read` also with prices. Also needs the scope `messages:read`. */
        get: operations["exportRecipients"];
    };
    "/console/api/broadcasts/{broadcast_id}/resume": {
        /** Resume a broadcast. Continues where it stopped, with the current version of the template. Also needs the scope `messages:send`. Safe to repeat. */
        post: operations["resumeBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/start": {
        /** Start a broadcast, now or later. Also needs the scope `messages:send`. `recipients` and `max_cost` are checks: if one fails, nothing starts. */
        post: operations["startBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/test": {
        /** Send the message of one recipient to yourself. Really sends up to 5 messages, which Meta charges. Also needs the scopes `messages:send` and `messages:read`, because it shows the contents of the file. */
        post: operations["testBroadcast"];
    };
    "/console/api/broadcasts/{broadcast_id}/uploads/{upload_id}/problems": {
        /** Download the invalid lines of an upload */
        get: operations["getUploadProblems"];
    };
    "/console/api/budgets": {
        /** List budgets */
        get: operations["listBudgets"];
        /** Set a budget. Every send reserves its maximum cost; after delivery, Meta's charge replaces the reservation. A send over the limit is rejected with `budget_exceeded`. */
        post: operations["createBudget"];
    };
    "/console/api/budgets/{budget_id}": {
        /** Change a budget */
        put: operations["updateBudget"];
        /** Delete a budget */
        delete: operations["deleteBudget"];
    };
    "/console/api/channels": {
        /** Connected channels with their numbers */
        get: operations["listChannels"];
        /** Connect a number, step by step. The response has every step; nothing is stored when the credentials or the number do not work. */
        post: operations["connectChannel"];
    };
    "/console/api/channels/sandbox": {
        /** Connect a number of the sandbox */
        post: operations["connectSandbox"];
    };
    "/console/api/channels/{channel_id}/check": {
        /** Check a connected channel */
        post: operations["checkChannel"];
    };
    "/console/api/channels/{channel_id}/disconnect": {
        /** Disconnect a channel and delete its credentials */
        post: operations["disconnectChannel"];
    };
    "/console/api/confirm": {
        /** Confirm the password. Allows irreversible acts for 5 minutes. */
        post: operations["confirmPassword"];
    };
    "/console/api/connections": {
        /** All connections of tools, oldest first */
        get: operations["listConnections"];
        /** Connect a tool; its token is shown once only */
        post: operations["connectTool"];
    };
    "/console/api/connections/{connection_id}": {
        /** One connection */
        get: operations["describeConnection"];
        /** End a connection and its token */
        delete: operations["deleteConnection"];
    };
    "/console/api/connections/{connection_id}/callback": {
        /** Set the callback address and verify it */
        put: operations["setConnectionCallback"];
        /** Pause callbacks to the tool */
        delete: operations["removeConnectionCallback"];
    };
    "/console/api/connections/{connection_id}/callback/pause": {
        /** Pass callbacks on later */
        post: operations["pauseConnectionCallback"];
    };
    "/console/api/connections/{connection_id}/callback/resume": {
        /** Resume callbacks to the tool */
        post: operations["resumeConnectionCallback"];
    };
    "/console/api/connections/{connection_id}/callback/verify": {
        /** Verify the callback address again */
        post: operations["verifyConnectionCallback"];
    };
    "/console/api/connections/{connection_id}/options": {
        /** Change how a connection behaves */
        put: operations["setConnectionOptions"];
    };
    "/console/api/connections/{connection_id}/prepare-secret": {
        /** Show the next app secret, which does not sign yet */
        post: operations["prepareConnectionSecret"];
    };
    "/console/api/connections/{connection_id}/rotate": {
        /** Create a new token; the old one works for 24 hours */
        post: operations["rotateConnection"];
    };
    "/console/api/connections/{connection_id}/secrets": {
        /** The app secret and the verify token */
        post: operations["showConnectionSecrets"];
    };
    "/console/api/connections/{connection_id}/switch-secret": {
        /** Sign with the prepared app secret from now on */
        post: operations["switchConnectionSecret"];
    };
    "/console/api/conversation": {
        /** The conversation with one customer */
        get: operations["getThread"];
    };
    "/console/api/conversation-search": {
        /** Customers by a part of their name, their number, or of what was written */
        get: operations["searchConversations"];
    };
    "/console/api/conversation/presence": {
        /** Which other people have a conversation open */
        get: operations["describePresence"];
        /** Tell the others that you have a conversation open. One signal in 5 s counts; it lasts for 15 s and is stored nowhere. */
        post: operations["signalPresence"];
    };
    "/console/api/conversation/read": {
        /** Mark the messages of a customer as read */
        post: operations["markConversationRead"];
    };
    "/console/api/conversations": {
        /** List conversations. Customers who wrote, and customers a person wrote to. Without the scope `messages:read`, names and previews are null and addresses have only their first and last digits. */
        get: operations["listConversations"];
    };
    "/console/api/conversations/{customer_id}": {
        /** Get a conversation. Without the scope `messages:read`, names and previews are null and addresses have only their first and last digits. */
        get: operations["getConversation"];
    };
    "/console/api/conversations/{customer_id}/assignee": {
        /** Assign a conversation to a person, or to nobody. With `if_assignee`, a conversation never gets two assignees: if two people assign it at the same time, the second call is rejected with `conversation_assigned_elsewhere`. */
        put: operations["assignConversation"];
    };
    "/console/api/conversations/{customer_id}/close": {
        /** Close a conversation. The next message of the customer opens it again, with the same assignee. Safe to repeat. */
        post: operations["closeConversation"];
    };
    "/console/api/conversations/{customer_id}/control": {
        /** See who handles a conversation. Meta has no call for this, so the owner is derived from Meta's callbacks. */
        get: operations["getConversationControl"];
        /** Pass, release or take a conversation. Meta is called once. After `control_outcome_unknown`, check the owner of the conversation before you try again. */
        post: operations["controlConversation"];
    };
    "/console/api/conversations/{customer_id}/reopen": {
        /** Reopen a conversation. Safe to repeat. */
        post: operations["reopenConversation"];
    };
    "/console/api/costs": {
        /** Get what messages cost. Cost of delivered messages, by the imported rate cards. Without a card, there are counts but no amounts. Taxes, and partners' fees and discounts, are not included. */
        get: operations["getCosts"];
    };
    "/console/api/customer": {
        /** Names, addresses and preferences of a customer */
        get: operations["describeCustomer"];
    };
    "/console/api/customer/erase": {
        /** Erase a customer permanently */
        post: operations["eraseCustomer"];
    };
    "/console/api/customer/preference": {
        /** Stop marketing messages to a customer, or allow them again */
        post: operations["setPreference"];
    };
    "/console/api/customers": {
        /** List customers, or find one by address. Customers with the newest activity first. With `address`, the customer who has it, or none. Without the scope `messages:read`, names are null and addresses have only their first and last digits. */
        get: operations["listCustomers"];
        /** Get or create the customer of an address. Use it to record consent before the first message. Safe to repeat: a known address returns its customer. */
        post: operations["createCustomer"];
    };
    "/console/api/customers/{customer_id}": {
        /** Get a customer with windows and preferences. Without the scope `messages:read`, names are null and addresses have only their first and last digits. */
        get: operations["getCustomer"];
    };
    "/console/api/customers/{customer_id}/preference": {
        /** Record or withdraw consent to marketing messages. Recorded with the time and the name of the API key or person, in the audit log, and in an event where it changes something. Marketing templates to customers who opted out are rejected. */
        put: operations["setCustomerPreference"];
    };
    "/console/api/deliveries": {
        /** The deliveries behind the id of an event or of a delivery */
        get: operations["findDeliveries"];
    };
    "/console/api/exports/audit": {
        /** The audit log as CSV, newest first */
        get: operations["exportAuditLog"];
    };
    "/console/api/exports/messages": {
        /** The message log as CSV, newest first */
        get: operations["exportMessages"];
    };
    "/console/api/exports/requests": {
        /** Calls to the API as CSV, newest first */
        get: operations["exportRequests"];
    };
    "/console/api/home": {
        /** System status at a glance */
        get: operations["getHome"];
    };
    "/console/api/inbox-counts": {
        /** How many conversations are unread, mine, unassigned and waiting */
        get: operations["countInbox"];
    };
    "/console/api/installation": {
        /** Problems, queues, database and disk */
        get: operations["getInstallation"];
    };
    "/console/api/installation/accounts": {
        /** The accounts with plan, use, health and last activity */
        get: operations["listTenants"];
        /** Create an account; the link for its owner is shown once */
        post: operations["createTenant"];
    };
    "/console/api/installation/accounts/{account_id}/deletion": {
        /** Suspend an account now, and delete it after seven days */
        put: operations["planTenantDeletion"];
    };
    "/console/api/installation/accounts/{account_id}/plan": {
        /** Give an account another plan */
        put: operations["setTenantPlan"];
    };
    "/console/api/installation/accounts/{account_id}/status": {
        /** Suspend or resume an account; a planned deletion is taken back */
        put: operations["setTenantStatus"];
    };
    "/console/api/installation/audit": {
        /** Audit log of all accounts, newest first. Without names of people, targets and details. */
        get: operations["listAuditOfAll"];
    };
    "/console/api/installation/settings": {
        /** The settings of this node as they are in force */
        get: operations["listSettings"];
    };
    "/console/api/installation/tables": {
        /** What each table takes in the database */
        get: operations["listTableSizes"];
    };
    "/console/api/keys": {
        /** All API keys, newest first */
        get: operations["listApiKeys"];
        /** Create an API key; its secret is shown once only */
        post: operations["createApiKey"];
    };
    "/console/api/keys/{key_id}": {
        /** Change name, scopes and addresses of an API key */
        put: operations["changeApiKeyAccess"];
    };
    "/console/api/keys/{key_id}/revoke": {
        /** Revoke an API key and every token of it */
        post: operations["revokeApiKey"];
    };
    "/console/api/keys/{key_id}/rotate": {
        /** Create a new secret for an API key; the old one works for 24 hours */
        post: operations["rotateApiKey"];
    };
    "/console/api/keywords": {
        /** Get the stop and start words of a number */
        get: operations["getKeywords"];
        /** Set the words that stop and start marketing messages. A customer whose message consists of one of these words opts out of marketing messages from this number, or in again. Postern sends no reply. Off until words are set. */
        put: operations["setKeywords"];
    };
    "/console/api/limits": {
        /** How much of the plan is used right now */
        get: operations["getLimits"];
    };
    "/console/api/links": {
        /** List the short links of a number */
        get: operations["listLinks"];
        /** Create a short link with a QR code. Not safe to repeat: if the response gets lost, list the links first. */
        post: operations["createLink"];
    };
    "/console/api/links/{link_id}": {
        /** Change the message of a short link */
        put: operations["updateLink"];
        /** Delete a short link. Its address and QR code stop working. */
        delete: operations["deleteLink"];
    };
    "/console/api/live": {
        /**
         * Server-sent events that name what changed
         * Events `changed` with `{"topics": […]}` (of events, messages, deliveries, attempts, channels, audit, presence), `heartbeat` with `{"readable": …}`
         *     every 3 s (false: the database cannot be read), and `signed_out`.
         */
        get: operations["followChanges"];
    };
    "/console/api/me": {
        /** Change your name */
        put: operations["changeOwnName"];
    };
    "/console/api/me/alerts": {
        /** Your alerts, and how you get them */
        get: operations["describeAlerts"];
        /** Choose your alerts, and how you get them */
        put: operations["chooseAlerts"];
    };
    "/console/api/me/password": {
        /** Change your password. Every other session of the person ends. */
        put: operations["changeOwnPassword"];
    };
    "/console/api/me/two-factor": {
        /** Whether your two-factor sign-in is on, and how many recovery codes are left */
        get: operations["getTwoFactor"];
        /** A new secret for an authenticator app; a code must confirm it */
        post: operations["beginTwoFactor"];
    };
    "/console/api/me/two-factor/confirm": {
        /** Turn on two-factor sign-in with a first code. Returns the recovery codes. Every other session of the person ends. */
        post: operations["confirmTwoFactor"];
    };
    "/console/api/me/two-factor/off": {
        /** Turn off two-factor sign-in */
        post: operations["switchOffTwoFactor"];
    };
    "/console/api/me/two-factor/recovery-codes": {
        /** Ten new recovery codes; the previous ones stop working */
        post: operations["renewRecoveryCodes"];
    };
    "/console/api/media": {
        /** Upload a file */
        post: operations["uploadMedia"];
    };
    "/console/api/media/{media_id}/content": {
        /** Download a file */
        get: operations["readMediaContent"];
    };
    "/console/api/members": {
        /** The people of the account */
        get: operations["listMembers"];
        /** Invite a person; the link is shown once */
        post: operations["inviteMember"];
    };
    "/console/api/members/{user_id}": {
        /** Give a member another role; the member signs in again */
        put: operations["changeMemberRole"];
        /** Remove a member; sessions and links end at once */
        delete: operations["removeMember"];
    };
    "/console/api/members/{user_id}/link": {
        /** A new one-time link to join. For a member who lost the password or the second factor. They are signed out and join again; members of other accounts join with their existing password. */
        post: operations["renewMemberLink"];
    };
    "/console/api/message-filters": {
        /** Filters of the message log */
        get: operations["listMessageFilters"];
    };
    "/console/api/messages": {
        /** Messages and rejected sends, newest first */
        get: operations["listMessageLog"];
    };
    "/console/api/messages/cancel": {
        /** Cancel a waiting message */
        post: operations["cancelWaitingMessage"];
    };
    "/console/api/messages/contacts": {
        /** Send contact cards. The response comes within 10 seconds. */
        post: operations["sendContacts"];
    };
    "/console/api/messages/interactive": {
        /** Send an interactive message. The response comes within 10 seconds. */
        post: operations["sendInteractive"];
    };
    "/console/api/messages/location": {
        /** Send a location. The response comes within 10 seconds. */
        post: operations["sendLocation"];
    };
    "/console/api/messages/media": {
        /** Send an image, document, audio or video. The response comes within 10 seconds. When the upload to Meta takes longer, the response is `service_unavailable`; the upload continues, and a retry uses it. */
        post: operations["sendMedia"];
    };
    "/console/api/messages/reaction": {
        /** React to a message. Puts an emoji on a message, or removes it. Its status stays `sent`: Meta reports neither delivery nor reading of reactions. The response comes within 10 seconds. */
        post: operations["sendReaction"];
    };
    "/console/api/messages/send": {
        /** Send a text message. Allowed for 24 hours after the customer's last message; after that, send a template. The response comes within 10 seconds. */
        post: operations["sendText"];
    };
    "/console/api/messages/sticker": {
        /** Send a sticker. The response comes within 10 seconds. When the upload to Meta takes longer, the response is `service_unavailable`; the upload continues, and a retry uses it. */
        post: operations["sendSticker"];
    };
    "/console/api/messages/template": {
        /** Send a template message. Needed to write to a customer first, and outside the 24-hour window. The response comes within 10 seconds. */
        post: operations["sendTemplate"];
    };
    "/console/api/messages/{message_id}": {
        /** A message with its history and webhook deliveries */
        get: operations["describeMessage"];
    };
    "/console/api/messages/{message_id}/again": {
        /** Send the content of a message again */
        post: operations["sendMessageAgain"];
    };
    "/console/api/numbers/{number_id}/default": {
        /** Set the default number for messages */
        post: operations["setDefaultNumber"];
    };
    "/console/api/oidc/callback": {
        /** Where the provider sends the browser back to */
        get: operations["finishOidc"];
    };
    "/console/api/oidc/code": {
        /** The two-factor code, after the provider */
        post: operations["finishOidcWithCode"];
    };
    "/console/api/oidc/confirm": {
        /** Confirm at the provider who you are */
        post: operations["confirmByOidc"];
    };
    "/console/api/oidc/link": {
        /** Link your sign-in at the provider */
        post: operations["linkByOidc"];
        /** Remove the link to your sign-in at the provider */
        delete: operations["unlinkOidc"];
    };
    "/console/api/oidc/start": {
        /** Where to sign in at the provider. With the token of an invitation link, the person joins with the sign-in of the provider. */
        post: operations["startOidc"];
    };
    "/console/api/profile": {
        /** Get the business profile of a number */
        get: operations["getProfile"];
        /** Update the business profile. Changes the given fields. The response is the profile as Meta has it after the change. */
        put: operations["updateProfile"];
    };
    "/console/api/profile/photo": {
        /** The photo of the business profile */
        get: operations["readProfilePhoto"];
    };
    "/console/api/progress": {
        /** Progress of the setup */
        get: operations["getProgress"];
    };
    "/console/api/rates": {
        /** The rate cards in use, or with those that were replaced or removed */
        get: operations["listRates"];
        /** Import a rate card; one of the same currency and first day is replaced */
        post: operations["importRates"];
    };
    "/console/api/rates/check": {
        /** Preview a rate card file with all its errors; nothing is stored */
        post: operations["checkRates"];
    };
    "/console/api/rates/{rate_card_id}": {
        /** Remove a rate card; its messages get their price from another card, or none */
        delete: operations["removeRates"];
    };
    "/console/api/requests": {
        /** Calls to the API, newest first, including rejected ones */
        get: operations["listRequests"];
    };
    "/console/api/sandbox/behaviour": {
        /** What the next message will do, and how fast */
        put: operations["setSandboxBehaviour"];
    };
    "/console/api/sandbox/conversation": {
        /** What one customer sees */
        get: operations["readSandboxConversation"];
    };
    "/console/api/sandbox/customers": {
        /** Add a simulated customer */
        post: operations["addSandboxCustomer"];
    };
    "/console/api/sandbox/events": {
        /** The newest events and the responses of webhooks */
        get: operations["listSandboxEvents"];
    };
    "/console/api/sandbox/inbound": {
        /** Write or tap as the customer */
        post: operations["actAsCustomer"];
    };
    "/console/api/sandbox/numbers": {
        /** The numbers of the account that are in the sandbox */
        get: operations["listSandboxNumbers"];
    };
    "/console/api/sandbox/phone": {
        /** The customers of a number and how their phone behaves */
        get: operations["describeSandboxPhone"];
    };
    "/console/api/sandbox/window": {
        /** Open or close the 24-hour window of a customer */
        post: operations["setSandboxWindow"];
    };
    "/console/api/saved-replies": {
        /** List saved replies */
        get: operations["listSavedReplies"];
        /** Save a reply */
        post: operations["createSavedReply"];
    };
    "/console/api/saved-replies/{saved_reply_id}": {
        /** Change a saved reply */
        put: operations["updateSavedReply"];
        /** Delete a saved reply */
        delete: operations["deleteSavedReply"];
    };
    "/console/api/service-times": {
        /** Get how long customers wait for a reply. Replies by people, by day and by person. */
        get: operations["getServiceTimes"];
    };
    "/console/api/session": {
        /** Who is signed in, where, and what they may do */
        get: operations["getSession"];
    };
    "/console/api/session/account": {
        /** Continue in another account of yours. The session moves: other tabs that show the account before have to be reloaded. */
        post: operations["switchAccount"];
    };
    "/console/api/sessions": {
        /** Where people are signed in. All sessions of the account for users who manage members; for all others, only their own. */
        get: operations["listSessions"];
    };
    "/console/api/sessions/revoke-others": {
        /** Sign out everywhere else */
        post: operations["revokeOtherSessions"];
    };
    "/console/api/sessions/{session_id}": {
        /** Sign out one session */
        delete: operations["revokeSession"];
    };
    "/console/api/setup": {
        /** Take over the record behind a one-time link, and sign in */
        post: operations["completeSetup"];
    };
    "/console/api/setup/enter": {
        /** Sign in by a link of the operator */
        post: operations["enterByLink"];
    };
    "/console/api/setup/lookup": {
        /** What a one-time link is for. A POST, because the token would otherwise appear in the logs of proxies. */
        post: operations["describeSetupLink"];
    };
    "/console/api/sign-in": {
        /** How people sign in here */
        get: operations["describeSignIn"];
        /** Sign in with email and password, and the two-factor code. Without `code`, a person with two-factor sign-in gets `two_factor_required`. */
        post: operations["signIn"];
    };
    "/console/api/sign-in/forgot": {
        /** Mail a link to a new password. The response is the same for every address. */
        post: operations["requestPasswordLink"];
    };
    "/console/api/sign-out": {
        /** Sign out */
        post: operations["signOut"];
    };
    "/console/api/signups": {
        /** Signups that wait for a number or were connected lately */
        get: operations["listSignups"];
        /** Start Embedded Signup on Meta's page */
        post: operations["startSignup"];
    };
    "/console/api/signups/return": {
        /** Finish what the browser brings back from Meta. The code is used once. Loaded again, the page gets the same signup. */
        post: operations["returnFromSignup"];
    };
    "/console/api/signups/{signup_id}/continue": {
        /** Choose a number, register it, and connect it */
        post: operations["continueSignup"];
    };
    "/console/api/signups/{signup_id}/give-up": {
        /** Delete the token of a signup without connecting */
        post: operations["giveUpSignup"];
    };
    "/console/api/templates": {
        /** List templates by name and language */
        get: operations["listTemplates"];
        /** Create a template and submit it for review */
        post: operations["createTemplate"];
    };
    "/console/api/templates/catalog": {
        /** Submit the templates every account starts with */
        post: operations["submitCatalog"];
    };
    "/console/api/templates/check": {
        /** What is wrong with a template, and how it would look */
        post: operations["checkTemplateDraft"];
    };
    "/console/api/templates/{template_id}": {
        /** Get a template with its history */
        get: operations["getTemplate"];
        /** Edit a template and submit it again */
        put: operations["updateTemplate"];
        /** Delete one language of a template */
        delete: operations["deleteTemplate"];
    };
    "/console/api/usage": {
        /** The plan, its limits, and use per hour and day */
        get: operations["getUsage"];
    };
    "/console/api/webhooks": {
        /** All webhooks, oldest first */
        get: operations["describeWebhooks"];
        /** Register a webhook. A challenge is then sent to its url. The response does not wait for the challenge: `GET /v1/webhooks/{webhook_id}` shows its result in `verification`, and in `signed` whether deliveries are signed. `POST /v1/webhooks/{webhook_id}/verify` sends one and waits. Without the scope `messages:read` the webhook is `masked`: its payloads have no texts and names, and numbers with their first and last digits. */
        post: operations["createWebhook"];
    };
    "/console/api/webhooks/{webhook_id}": {
        /** A webhook and its deliveries in the last 24 hours */
        get: operations["describeWebhook"];
        /** Update a webhook. Changes the given fields. Without the scope `messages:read`, a new `url` or further events about customers make the webhook `masked`. With the scope, giving its `url` ends that. */
        put: operations["updateWebhook"];
        /** Delete a webhook. Cancels its pending deliveries. */
        delete: operations["deleteWebhook"];
    };
    "/console/api/webhooks/{webhook_id}/check-signature": {
        /** Whether a signature is one of this webhook */
        post: operations["checkSignature"];
    };
    "/console/api/webhooks/{webhook_id}/deliveries": {
        /** Deliveries, newest first */
        get: operations["describeDeliveries"];
    };
    "/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        /** A delivery with all its attempts */
        get: operations["describeDelivery"];
    };
    "/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry": {
        /** Retry a delivery. Sends it again now, with the same event id. */
        post: operations["retryDelivery"];
    };
    "/console/api/webhooks/{webhook_id}/replay": {
        /** How many deliveries a replay would send */
        get: operations["previewReplay"];
        /** Replay events to a webhook */
        post: operations["replayDeliveries"];
    };
    "/console/api/webhooks/{webhook_id}/rotate-secret": {
        /** Rotate the secret of a webhook. For a while, the old secret signs too. */
        post: operations["rotateWebhookSecret"];
    };
    "/console/api/webhooks/{webhook_id}/test": {
        /** Send a test event to a webhook. Delivers a sample event now and shows the response of the receiver. A test is not stored: it does not appear in the list of deliveries or in statistics. */
        post: operations["testWebhook"];
    };
    "/console/api/webhooks/{webhook_id}/verify": {
        /** Verify a webhook. Sends a challenge now and waits for the response. */
        post: operations["verifyWebhook"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Numbers of messages over time. */
        Analytics: {
            /** Start of the range, inclusive. (date-time) */
            from: string;
            /** End of the range, exclusive. (date-time) */
            to: string;
            /** Length of one point. */
            granularity: "hour" | "day" | "month";
            /** Time zone of days and months. */
            timezone: string;
            /** How the series are divided. */
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "error_code")[];
            /** When the numbers were counted. Delivered and read may still grow for earlier messages. (date-time) */
            as_of: string;
            /** Sums over the whole range. */
            totals: {
                /** Messages that were requested, whether or not they were sent. */
                created: number;
                /** Messages that WhatsApp accepted. */
                sent: number;
                /** Messages that reached the phone of the customer. */
                delivered: number;
                /** Messages the customer opened. */
                read: number;
                /** Messages that will not arrive. */
                failed: number;
                /** Messages from customers. */
                received: number;
                /** Messages of customers that quote one of these. */
                replies: number;
                /** Taps on the quick-reply buttons and list rows of these messages. */
                taps: number;
                /** Delivered of sent, in percent with two decimals; null when nothing was sent. */
                delivery_rate: number | null;
                /** Read of delivered, in percent with two decimals; null when nothing was delivered. */
                read_rate: number | null;
                /** Cost of the messages delivered in the range, one sum per currency. A message counts on the day of its delivery, in the time zone of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and when grouped by error code. */
                costs: components["schemas"]["Cost"][] | null;
                /** Different customers you wrote to. Null with filters, for ranges that are not whole UTC days, and for ranges older than messages are kept. */
                unique_recipients: number | null;
                /** Seconds from sent to delivered: half of the messages were faster. Interpolated from fixed buckets. */
                delivery_seconds_p50: number | null;
                /** Seconds from sent to delivered: 95% of the messages were faster. Interpolated from fixed buckets. */
                delivery_seconds_p95: number | null;
            };
            /** One entry per group; a single one without `group_by`. */
            series: {
                /** One value per grouping; null where messages have none, `other` for all remaining values. */
                group: {
                    /** The template of this group. */
                    template?: string | null;
                    /** The type of this group. */
                    type?: string | null;
                    /** The category of this group. */
                    category?: string | null;
                    /** The country of this group. */
                    country?: string | null;
                    /** The phone number of this group. */
                    phone_number?: string | null;
                    /** The api key of this group. */
                    api_key?: string | null;
                    /** The error code of this group. */
                    error_code?: string | null;
                };
                /** Sums of this group. */
                totals: {
                    /** Messages that were requested, whether or not they were sent. */
                    created: number;
                    /** Messages that WhatsApp accepted. */
                    sent: number;
                    /** Messages that reached the phone of the customer. */
                    delivered: number;
                    /** Messages the customer opened. */
                    read: number;
                    /** Messages that will not arrive. */
                    failed: number;
                    /** Messages from customers. */
                    received: number;
                    /** Messages of customers that quote one of these. */
                    replies: number;
                    /** Taps on the quick-reply buttons and list rows of these messages. */
                    taps: number;
                    /** Delivered of sent, in percent with two decimals; null when nothing was sent. */
                    delivery_rate: number | null;
                    /** Read of delivered, in percent with two decimals; null when nothing was delivered. */
                    read_rate: number | null;
                    /** Cost of the messages delivered in the range, one sum per currency. A message counts on the day of its delivery, in the time zone of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and when grouped by error code. */
                    costs: components["schemas"]["Cost"][] | null;
                };
                /** One entry per hour, day or month, in order; none with `points=false`. */
                points: components["schemas"]["AnalyticsPoint"][];
            }[];
            /** Why messages failed, most frequent first. */
            failures: {
                /** Error code of the failed messages. */
                code: string;
                /** Failed messages with the code. */
                count: number;
            }[];
            /** Delivered messages by Meta's pricing category and type, where Meta named them. */
            pricing: {
                /** Pricing category. */
                category: string;
                /** As Meta names it: `regular`, `free_customer_service`, `free_entry_point`, `free_group_customer_service` or a newer one; null where Meta did not say. */
                type: string | null;
                /** Whether Meta says that it charges nothing for them. */
                free: boolean;
                /** Delivered messages of the category and type. */
                count: number;
            }[];
        };
        /** The numbers of one hour, day or month. */
        AnalyticsPoint: {
            /** Start of the point, inclusive. (date-time) */
            start: string;
            /** End of the point, exclusive. (date-time) */
            end: string;
            /** Messages that were requested, whether or not they were sent. */
            created: number;
            /** Messages that WhatsApp accepted. */
            sent: number;
            /** Messages that reached the phone of the customer. */
            delivered: number;
            /** Messages the customer opened. */
            read: number;
            /** Messages that will not arrive. */
            failed: number;
            /** Messages from customers. */
            received: number;
            /** Messages of customers that quote one of these. */
            replies: number;
            /** Taps on the quick-reply buttons and list rows of these messages. */
            taps: number;
            /** Delivered of sent, in percent with two decimals; null when nothing was sent. */
            delivery_rate: number | null;
            /** Read of delivered, in percent with two decimals; null when nothing was delivered. */
            read_rate: number | null;
        };
        /** Why a request was rejected. */
        ApiError: {
            /** Stable code of the error. New codes may be added; none is renamed within v1. */
            code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "rate_card_invalid" | "budget_exceeded" | "budget_needs_rates" | "budget_not_found" | "budget_limit_reached" | "rate_card_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "message_not_cancelable" | "message_expired" | "broadcast_state" | "broadcast_empty" | "broadcast_too_large" | "broadcast_changed" | "cost_limit_exceeded" | "upload_in_progress" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "connection_callback_missing" | "connection_handshake_failed" | "conversation_assigned_elsewhere" | "saved_reply_limit_reached" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "account_switched" | "two_factor_setup_required" | "password_sign_in_off" | "cross_site_request" | "last_owner" | "signup_not_available" | "signup_rejected" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "operator_only_here" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "account_not_found" | "session_not_found" | "api_key_not_found" | "signup_not_found" | "link_not_found" | "channel_not_found" | "customer_not_found" | "saved_reply_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "broadcast_not_found" | "upload_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "queue_full" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "sign_in_provider_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
            /** Group of the code, for clients that do not know the code itself. */
            type: "invalid_request" | "authentication" | "permission" | "not_found" | "rate_limit" | "channel" | "server";
            /** The HTTP status, repeated for logs that do not record it. */
            status: number;
            /** Human-readable explanation; its wording may change. */
            message: string;
            /** True when the identical request can succeed later; on POST only with the same Idempotency-Key. */
            retryable: boolean;
            /** Id of the request, also in the `X-Request-Id` header. Quote it when you ask for help. */
            request_id: string;
            /** Page that explains the code. */
            doc_url: string;
            /** Every wrong field; only with `validation_failed` and similar codes. */
            details?: components["schemas"]["ErrorDetail"][];
            /** Seconds; the same number as the Retry-After header. */
            retry_after?: number;
            /** The scope the API key lacks. */
            required_scope?: string;
            /** The limit of the plan that was reached; only with `rate_limit_exceeded`. */
            limit?: {
                /** Which limit of the plan was reached. */
                policy: "hour" | "day";
                /** Requests the plan allows in the window. */
                quota: number;
                /** Requests made in the window. */
                used: number;
                /** Length of the window in seconds. */
                window_seconds: number;
                /** When the window ends. (date-time) */
                resets_at: string;
            };
            /** Provisional id of the stored record. */
            message_id?: string;
            /** Meta's error, when Meta rejected the call. */
            upstream?: {
                /** Meta's error code. */
                code: number | null;
                /** Meta's title of the error. */
                title: string | null;
                /** Meta's explanation. */
                detail: string | null;
                /** Id of the call at Meta, for Meta's support. */
                trace_id: string | null;
            };
        };
        /** A person of your team who can reply to customers. */
        Assignee: {
            /** Id of the person. */
            user_id: string;
            /** Name of the person. */
            name: string;
        };
        /** Who replies to the customer. */
        AssigneeChange: {
            /** Id of a person of your team, from GET /v1/chat/assignees; `me` for the signed-in person. */
            assignee: string | null;
            /** The current assignee, as you know it; null: nobody. The change is rejected if it is someone else. */
            if_assignee?: string | null;
        };
        /** The people who can be assigned to a conversation. */
        AssigneeList: {
            /** Members whose role may reply to customers. */
            assignees: components["schemas"]["Assignee"][];
        };
        /** Ice breakers and commands of a number, as Meta has them now. */
        Automation: {
            /** The WhatsApp number. */
            phone_number: string;
            /** Questions that a first chat suggests. */
            prompts: string[];
            /** What customers see when they type a slash. */
            commands: {
                /** The word that customers type after the slash. */
                name: string;
                /** What it does. */
                description: string;
            }[];
        };
        /** Ice breakers and commands. An omitted list stays; an empty one removes all. */
        AutomationChange: {
            /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** At most 4 of up to 80 characters; replaces all. Meta shows 3 or 4. */
            prompts?: string[];
            /** At most 30; replaces all. */
            commands?: {
                /** What customers type after the slash: letters, digits and _. */
                name: string;
                /** What it does. */
                description: string;
            }[];
        };
        /** Customers to block. */
        BlockRequest: {
            /** The WhatsApp number of the block list: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Customers to block: 1 to 1,000, each of whom wrote to the number in the last 24 hours. */
            customers: string[];
        };
        /** The customers that were blocked, and those that were not. */
        BlockResult: {
            /** The WhatsApp number whose block list this is. */
            phone_number: string;
            /** Customers who are blocked now. */
            blocked: string[];
            /** Customers who could not be blocked; empty when all could. */
            failed: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer: string;
                /** Why, as a code of the error table. */
                code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "rate_card_invalid" | "budget_exceeded" | "budget_needs_rates" | "budget_not_found" | "budget_limit_reached" | "rate_card_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "message_not_cancelable" | "message_expired" | "broadcast_state" | "broadcast_empty" | "broadcast_too_large" | "broadcast_changed" | "cost_limit_exceeded" | "upload_in_progress" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "connection_callback_missing" | "connection_handshake_failed" | "conversation_assigned_elsewhere" | "saved_reply_limit_reached" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "account_switched" | "two_factor_setup_required" | "password_sign_in_off" | "cross_site_request" | "last_owner" | "signup_not_available" | "signup_rejected" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "operator_only_here" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "account_not_found" | "session_not_found" | "api_key_not_found" | "signup_not_found" | "link_not_found" | "channel_not_found" | "customer_not_found" | "saved_reply_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "broadcast_not_found" | "upload_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "queue_full" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "sign_in_provider_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
                /** Why, in one sentence. */
                message: string;
            }[];
        };
        /** A page of the block list, as Meta has it at this moment. */
        BlockedList: {
            /** The WhatsApp number whose block list this is. */
            phone_number: string;
            /** Blocked customers. */
            blocked: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer: string;
                /** Name of the customer, if they have written to this account. */
                name: string | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /** A broadcast with its progress. */
        Broadcast: {
            /** Id of the broadcast. */
            id: string;
            /** Your name for it; recipients never see it. */
            name: string;
            /** What it is doing. */
            status: "draft" | "scheduled" | "running" | "paused" | "completed" | "canceled";
            /** Why it is held or paused; null otherwise. A held broadcast resumes automatically and stays `running`: `messaging_limit`, `quota`, `quiet_hours`, `meta_unavailable`, `channel`, `template_paused`, `account_suspended`. A paused one waits for a person: all others. */
            reason: ("messaging_limit" | "quota" | "quiet_hours" | "meta_unavailable" | "channel" | "template_paused" | "account_suspended" | "template_rejected" | "template_changed" | "quality_low" | "restricted" | "payment_missing" | "restored" | "key_revoked" | "too_many_failures" | "budget" | "by_person") | null;
            /** While it is held; null otherwise. */
            hold: {
                /** The reason. */
                reason: string;
                /** Since when. (date-time) */
                since: string;
                /** When it is checked again. (date-time) */
                until: string | null;
            } | null;
            /** The WhatsApp number it sends from. */
            from: string | null;
            /** Name of the template. */
            template: string;
            /** Language code of the template. */
            language: string;
            /** Its values with `{{columns}}`. */
            components: unknown[] | null;
            /** The columns that the values name. */
            columns: string[];
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours: {
                /** When they begin, as HH:MM. */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. */
                time_zone: string;
            } | null;
            /** How many seconds after the start it may still send; remaining recipients then become `expired`. Default: 259200. */
            valid_for: number;
            /** Maximum messages per second. Default: the spare capacity of the number. */
            max_per_second: number | null;
            /** Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are always complete. Default: `all`. */
            message_events: "all" | "failed" | "none";
            /** `accepted` is always the sum of all others but `delivered` and `read`, which are parts of `sent`. */
            counts: {
                /** Recipients. */
                accepted: number;
                /** Not processed yet. */
                waiting: number;
                /** Being sent, or the result is not counted yet. */
                under_way: number;
                /** Meta accepted the message. */
                sent: number;
                /** It reached the phone. */
                delivered: number;
                /** The recipient opened it. */
                read: number;
                /** It will not arrive. */
                failed: number;
                /** It is unknown whether Meta has the message; it is never sent again. */
                unknown: number;
                /** Nothing was sent, for the reasons in `skipped`. */
                skipped: number;
                /** Not processed in time. */
                expired: number;
                /** The broadcast was canceled before they were processed. */
                canceled: number;
            };
            /** Recipients that were skipped, by reason: `opted_out`, `blocked`, `duplicate`, `erased`, or the error code that a send to them would get. */
            skipped: {
                [key: string]: number;
            };
            /** Failed messages by error code, the most frequent first. */
            failures: {
                /** Error code. */
                code: string;
                /** How many messages failed with it. */
                count: number;
            }[];
            /** While it runs and is not held; null otherwise. */
            rate: {
                /** Messages a second it may send. */
                per_second: number;
                /** When all recipients will be processed at this rate. (date-time) */
                ends_at: string;
            } | null;
            /** What the delivered messages cost, by the rate cards of their days; null until one of them has a price. */
            cost: {
                /** The amount. */
                amount: string;
                /** Its currency. */
                currency: string;
                /** Delivered messages with a price. */
                priced: number;
                /** Delivered messages for which no rate card has a rate. */
                unpriced: number;
            } | null;
            /** When it was created. (date-time) */
            created_at: string;
            /** When it was last changed. (date-time) */
            updated_at: string;
            /** When it is to start. (date-time) */
            start_at: string | null;
            /** When it started. (date-time) */
            started_at: string | null;
            /** It sends nothing after this time. (date-time) */
            expires_at: string | null;
            /** When every recipient had a result, or when it was canceled. (date-time) */
            ended_at: string | null;
            /** When the results were counted. (date-time) */
            as_of: string;
        };
        /** What is to change. `from`, `template`, `language` and `components` can be changed in a draft only. */
        BroadcastChanges: {
            /** Your name for it; recipients never see it. */
            name?: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string;
            /** Name of the template. */
            template?: string;
            /** Language code of the template. */
            language?: string;
            /** Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|default}}` provides a default for empty values. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours?: {
                /** When they begin, as HH:MM. */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. */
                time_zone: string;
            } | null;
            /** How many seconds after the start it may still send; remaining recipients then become `expired`. Default: 259200. */
            valid_for?: number;
            /** Maximum messages per second. Default: the spare capacity of the number. */
            max_per_second?: number | null;
            /** Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are always complete. Default: `all`. */
            message_events?: "all" | "failed" | "none";
        };
        /** Recipients to copy into a new draft. */
        BroadcastCopy: {
            /** Your name for it; recipients never see it. */
            name?: string | null;
            /** Whom to copy, by result. */
            results: ("waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled")[];
            /** Of those, only with these codes. */
            codes?: string[] | null;
            /** Required for `waiting`, `unknown`, and results with a message, because these people may get a second one. Also copies recipients skipped as `duplicate`. Default: false. */
            accept_duplicates?: boolean | null;
        };
        /** A broadcast to create. */
        BroadcastDraft: {
            /** Your name for it; recipients never see it. */
            name: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Name of the template. */
            template: string;
            /** Language code of the template. */
            language: string;
            /** Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|default}}` provides a default for empty values. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours?: {
                /** When they begin, as HH:MM. */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. */
                time_zone: string;
            } | null;
            /** How many seconds after the start it may still send; remaining recipients then become `expired`. Default: 259200. */
            valid_for?: number | null;
            /** Maximum messages per second. Default: the spare capacity of the number. */
            max_per_second?: number | null;
            /** Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are always complete. Default: `all`. */
            message_events?: ("all" | "failed" | "none") | null;
            /** The recipients, up to 1,000. */
            recipients?: {
                /** Phone number in international format, or a WhatsApp user id. */
                to: string;
                /** The values of the columns, each a text, a number, true or false. */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** Your own reference; the message repeats it. */
                client_reference?: string | null;
                /** IANA time zone of the recipient. */
                time_zone?: string | null;
            }[] | null;
            /** Start at once. Needs `recipients`, all of them valid. Default: false. */
            start?: boolean | null;
            /** When to start: up to 30 days ahead, and no longer than the operator keeps message contents. */
            start_at?: string | null;
        };
        /** What a broadcast would do now. */
        BroadcastEstimate: {
            /** Recipients who have not been processed yet. */
            recipients: number;
            /** Recipients by country, largest first. */
            countries: {
                /** ISO 3166 code of the country; null if the number does not show it. */
                country: string | null;
                /** Recipients. */
                count: number;
            }[];
            /** Recipients who would be skipped, by reason. */
            skipped: {
                [key: string]: number;
            };
            /** Category of the template. */
            category: string | null;
            /** Null without a rate card for every country. */
            cost: {
                /** At most this. */
                amount: string;
                /** Its currency. */
                currency: string;
                /** What it was computed from. */
                basis: string;
            } | null;
            /** Messages a second it may send. */
            per_second: number;
            /** How long it would take; null if a limit makes that unpredictable. */
            duration_seconds: number | null;
            /** What limits it most. */
            limited_by: "number_rate" | "max_per_second" | "quota" | "messaging_limit";
            /** When it would end if it started now, quiet hours left out. (date-time) */
            ends_at: string | null;
            /** Whether it would end within `valid_for`. */
            fits_valid_for: boolean;
            /** When it was computed. (date-time) */
            as_of: string;
        };
        /** Broadcasts, newest first. */
        BroadcastList: {
            /** The broadcasts of the page. */
            broadcasts: components["schemas"]["Broadcast"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** The message as a recipient would see it. */
        BroadcastPreview: {
            /** Line of the recipient. */
            line: number;
            /** The recipient. */
            to: string;
            /** The rendered message. */
            content: {
                [key: string]: unknown;
            };
        };
        /** Which recipient to show. */
        BroadcastPreviewRequest: {
            /** Line of the last upload that added recipients. Default: its first recipient. */
            line?: number | null;
        };
        /** A recipient and their result. */
        BroadcastRecipient: {
            /** Line of the upload. */
            line: number;
            /** Id of the upload. */
            upload_id: string;
            /** The recipient; null when they were erased. */
            to: string | null;
            /** Your reference. */
            client_reference: string | null;
            /** Their result. */
            result: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
            /** Error code of a failure, or the reason of a skip. */
            code: string | null;
            /** Id of the message. */
            message_id: string | null;
            /** When Meta accepted it. (date-time) */
            sent_at: string | null;
            /** When it reached the phone. (date-time) */
            delivered_at: string | null;
            /** When it was opened. (date-time) */
            read_at: string | null;
            /** When it failed. (date-time) */
            failed_at: string | null;
        };
        /** Recipients in their order. */
        BroadcastRecipients: {
            /** The recipients of the page. */
            recipients: components["schemas"]["BroadcastRecipient"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** How to start. */
        BroadcastStart: {
            /** When to start: up to 30 days ahead, and no longer than the operator keeps message contents. */
            start_at?: string | null;
            /** The number of recipients you expect; if it differs, the call is rejected. */
            recipients?: number | null;
            /** An amount of money. */
            max_cost?: {
                /** A decimal number. */
                amount: string;
                /** ISO 4217 code. */
                currency: string;
            } | null;
        };
        /** Messages that were really sent, and count and cost as such. */
        BroadcastTest: {
            /** One for each of `to`. */
            messages: {
                /** The recipient. */
                to: string;
                /** Id of the message; null where it was not sent. */
                message_id: string | null;
                /** Why it was not sent; null otherwise. */
                error: {
                    /** Error code. */
                    code: string;
                    /** What happened. */
                    message: string;
                } | null;
            }[];
        };
        /** Whom to send a test to. */
        BroadcastTestRequest: {
            /** Up to 5 phone numbers. */
            to: string[];
            /** Line of the last upload that added recipients. Default: its first recipient. */
            line?: number | null;
        };
        /** A spending limit per day or month, and how much of it is used. */
        Budget: {
            /** Id of the budget. */
            budget_id: string;
            /** Your name for it. */
            name: string;
            /** The API key whose sends count; null for all sends of the account. */
            api_key_id: string | null;
            /** In the time zone of the WhatsApp Business account. */
            period: "day" | "month";
            /** The currency of all amounts. */
            currency: string;
            /** The maximum amount per period. */
            limit: string;
            /** The percentage at which `budget.warned` is sent. */
            warn_at: number;
            /** Whether sends over the limit are rejected. */
            stop: boolean;
            /** Categories that are never blocked. */
            exempt: string[];
            /** How much is used: below `warn_at`, below the limit, or all. A send that costs more than what is `left` is rejected before that. */
            state: "ok" | "warned" | "exceeded";
            /** The first day of this period. */
            period_start: string;
            /** When the next period begins. (date-time) */
            starts_anew_at: string;
            /** Maximum cost of messages in flight. */
            reserved: string;
            /** Cost of delivered messages. */
            spent: string;
            /** The remaining amount; 0 when the limit is exceeded. */
            left: string;
            /** False when no rate card in the currency applies today: messages are sent and counted without a price. */
            has_rates: boolean;
            /** When it was set. (date-time) */
            created_at: string;
            /** When it was last changed. (date-time) */
            updated_at: string;
        };
        /** Omitted fields stay as they are. */
        BudgetChange: {
            /** Your name for it. */
            name?: string;
            /** The maximum amount per period, as a decimal number. */
            limit?: string;
            /** The percentage at which `budget.warned` is sent. Default: 80. */
            warn_at?: number;
            /** Whether sends over the limit are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /** Categories that are never blocked and reserve nothing; their cost still counts as spent. Default: authentication. */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
        };
        /** The deleted budget. */
        BudgetDeleted: {
            /** Id of the budget. */
            budget_id: string;
            /** Always true. */
            deleted: boolean;
        };
        /** The budgets of the account, the oldest first. */
        BudgetList: {
            /** At most 20. */
            budgets: components["schemas"]["Budget"][];
        };
        /** A spending limit. */
        BudgetRequest: {
            /** Your name for it. */
            name: string;
            /** The maximum amount per period, as a decimal number. */
            limit: string;
            /** A calendar day or month in the time zone of the WhatsApp Business account. */
            period: "day" | "month";
            /** The currency in which Meta bills the numbers whose messages count. */
            currency: string;
            /** Only sends with this API key; its id. Default: all sends of the account. */
            api_key_id?: string | null;
            /** The percentage at which `budget.warned` is sent. Default: 80. */
            warn_at?: number;
            /** Whether sends over the limit are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /** Categories that are never blocked and reserve nothing; their cost still counts as spent. Default: authentication. */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
        };
        /** What customers see about a number, as Meta has it at this moment. */
        BusinessProfile: {
            /** The WhatsApp number that the profile belongs to. */
            phone_number: string;
            /** The line under the name. */
            about: string | null;
            /** Address of the business. */
            address: string | null;
            /** What the business does. */
            description: string | null;
            /** Email address for customers. */
            email: string | null;
            /** Meta's category of the business. Meta may add others. */
            vertical: string | null;
            /** At most 2 addresses. */
            websites: string[];
            /** Address of the photo at Meta; it expires after some days. */
            photo_url: string | null;
        };
        /** The fields to change; the others stay as they are. */
        BusinessProfileChanges: {
            /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** The line under the name, 1 to 139 characters. It can be changed, but not removed. */
            about?: string | null;
            /** Address of the business, at most 256 characters. An empty text removes it. */
            address?: string | null;
            /** What the business does, at most 512 characters. An empty text removes it. */
            description?: string | null;
            /** Email address for customers, at most 128 characters. An empty text removes it. */
            email?: string | null;
            /** Category of the business. An empty text removes it. */
            vertical?: ("" | "ALCOHOL" | "APPAREL" | "AUTO" | "BEAUTY" | "EDU" | "ENTERTAIN" | "EVENT_PLAN" | "FINANCE" | "GOVT" | "GROCERY" | "HEALTH" | "HOTEL" | "NONPROFIT" | "ONLINE_GAMBLING" | "OTC_DRUGS" | "OTHER" | "PHYSICAL_GAMBLING" | "PROF_SERVICES" | "RESTAURANT" | "RETAIL" | "TRAVEL") | null;
            /** At most 2 addresses of at most 256 characters. An empty list removes them. */
            websites?: string[] | null;
            /** The photo: a square JPEG or PNG of at most 5 MB, best with 640 pixels. Give `media_id` or `link`. */
            photo?: {
                /** Id of an uploaded file. */
                media_id?: string | null;
                /** Public https address of the file, which the gateway fetches. */
                link?: string | null;
            } | null;
        };
        /** The message that was canceled. */
        CanceledMessage: {
            /** Id of the message at WhatsApp. */
            message_id: string;
            /** Always `canceled`. */
            status: "canceled";
            /** When it was canceled. (date-time) */
            canceled_at: string;
        };
        /** How a connection behaves. */
        ConnectionOptions: {
            /** Response to a send with an unknown outcome. `alias`: success with an id of the gateway, which the statuses then have, so that clients do not retry. `error`: an error, for clients that never retry. */
            unknown: "alias" | "error";
            /** Whether a retry of a request without a response gets the outcome of the first. If off, two identical requests at the same moment are two messages. */
            repeats: boolean;
            /** How many seconds after a response an identical request counts as a retry, unless the customer has written since. 0: a quick response counts as received. */
            repeat_window: number;
            /** Maximum requests per minute from the tool; null: limited by the plan only. */
            max_per_minute: number | null;
            /** Who checks the 24-hour window: with `check`, the gateway rejects sends that are known to be outside; with `meta`, Meta decides. */
            window: "check" | "meta";
            /** Which statuses the tool gets: `own` those of its own messages, `all` also those of the API, the console and other tools. */
            statuses: "own" | "all";
            /** Whether the tool gets messages that others send from its numbers, as `smb_message_echoes`. */
            echoes: "off" | "others";
            /** `one`: each callback has one message or status. `as_received`: as Meta grouped them, where all are for this tool. */
            grouping: "one" | "as_received";
            /** The fields the tool gets, as they are named in subscriptions at Meta; `*` for all. */
            fields: string[];
            /** Hosts that the tool itself may set as its callback address; `*` for any. */
            hosts: string[];
        };
        ConsoleAccountName: {
            name: string;
        };
        ConsoleAccountSettings: {
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            status: string;
            /** Format: date-time */
            created_at: string;
            retention: {
                content_days: number;
                metadata_days: number;
                deliveries_days: number;
            };
        };
        ConsoleAccountSwitch: {
            account_id: string;
        };
        ConsoleAlertChoice: {
            kinds: ("quality" | "template" | "webhook" | "token" | "budget")[];
            mail: boolean;
            /** Gets a POST with JSON for each alert; `text` is the sentence. */
            url: string | null;
        };
        ConsoleAlerts: {
            kinds: ("quality" | "template" | "webhook" | "token" | "budget")[];
            mail: boolean;
            /** Gets a POST with JSON for each alert; `text` is the sentence. */
            url: string | null;
            /** What the role may see. */
            possible: ("quality" | "template" | "webhook" | "token" | "budget")[];
            /** The installation sends mail. */
            mail_available: boolean;
            failure: {
                error: string;
                /** Format: date-time */
                at: string | null;
            } | null;
        };
        ConsoleApiKey: {
            id: string;
            /** The public half, in full: it is an identifier, not a secret. */
            key: string;
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            /** @enum {string} */
            status: "active" | "revoked" | "expired";
            /** Format: date-time */
            created_at: string;
            /** Name of the person; null for keys of the command line. */
            created_by: string | null;
            /** Format: date-time */
            expires_at: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_ip: string | null;
            /** Accepted calls: the last 24 UTC hours, the running one included. */
            calls_24h: number;
            /** After a rotation the old secret works until then. (date-time) */
            previous_secret_until: string | null;
        };
        ConsoleApiKeyList: {
            keys: components["schemas"]["ConsoleApiKey"][];
        };
        ConsoleAttention: {
            id: string;
            /** @enum {string} */
            tone: "error" | "warn" | "info";
            text: string;
            detail: string | null;
            /** Format: date-time */
            since: string | null;
            /** When it is retried automatically. (date-time) */
            next_attempt_at: string | null;
            /** The console page that handles it. */
            to: string;
        };
        ConsoleAuditEntry: {
            id: string;
            action: string;
            /** Format: date-time */
            occurred_at: string;
            actor: {
                type: string;
                id: string | null;
                name: string;
            };
            targets: {
                type: string;
                id: string;
                name: string;
            }[];
            ip: string | null;
            user_agent: string | null;
            request_id: string | null;
            metadata: {
                [key: string]: unknown;
            };
        };
        ConsoleAuditList: {
            entries: components["schemas"]["ConsoleAuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleBothFactors: {
            password: string;
            code: string;
        };
        ConsoleCancelWaiting: {
            /** A waiting message. */
            message_id: string;
        };
        ConsoleCatalogSubmission: {
            templates: components["schemas"]["Template"][];
            refused: {
                name: string;
                language: string;
                code: string;
                message: string;
            }[];
        };
        ConsoleChannel: {
            id: string;
            account_id: string;
            /** @enum {string} */
            kind: "sandbox" | "cloud";
            /** `auth_failed`: Meta rejects the token; callbacks still arrive. `no_callbacks`: messages can be sent, but the last check found that Meta reports no statuses and no incoming messages to this gateway. */
            status: "connected" | "no_callbacks" | "auth_failed";
            name: string | null;
            business_id: string;
            business_verified: boolean;
            callback_url: string;
            /** Format: date-time */
            token_expires_at: string | null;
            /** Format: date-time */
            last_event_at: string | null;
            /** Format: date-time */
            connected_at: string;
            /** Format: date-time */
            checked_at: string | null;
            steps: components["schemas"]["ConsoleCheckStep"][];
            numbers: {
                id: string;
                channel_id: string;
                /** @enum {string} */
                kind: "sandbox" | "cloud";
                phone_number: string;
                display_name: string | null;
                status: string;
                quality: ("high" | "medium" | "low") | null;
                sends_per_second: number;
                messaging_limit: string | null;
                default: boolean;
                /** Format: date-time */
                connected_at: string;
                /** Format: date-time */
                last_inbound_at: string | null;
            }[];
        };
        ConsoleChannelChecked: {
            /** Every step passed. */
            ok: boolean;
            channel: components["schemas"]["ConsoleChannel"] | null;
            steps: components["schemas"]["ConsoleCheckStep"][];
            manual: components["schemas"]["ConsoleManualSetup"] | null;
        };
        ConsoleChannelFarewell: {
            /** The number that will no longer send. */
            confirm: string;
        };
        ConsoleChannelForm: {
            business_id: string;
            phone_number_id: string;
            access_token: string;
            /** Left out where the token belongs to the operator's app. */
            app_secret?: string | null;
            /** Determined automatically where Meta provides it. */
            app_id?: string | null;
            /** Replace callback addresses that belong to another service. */
            take_over?: boolean | null;
            pin?: string | null;
        };
        ConsoleChannelList: {
            channels: components["schemas"]["ConsoleChannel"][];
            /** A sandbox runs beside this gateway. */
            sandbox_available: boolean;
            /** The operator provides a Meta app: no app secret is needed. */
            shared_app: boolean;
            /** Numbers can be connected through Embedded Signup. */
            signup: boolean;
            address: components["schemas"]["ConsoleCheckStep"];
        };
        ConsoleChannelRepair: {
            repair?: boolean | null;
            take_over?: boolean | null;
        };
        ConsoleCheckStep: {
            name: string;
            /** @enum {string} */
            status: "ok" | "warning" | "failed" | "skipped";
            /** What was found. */
            sentence: string;
            /** What to do about it. */
            fix: string | null;
            /** The error code of the call to Meta that failed. */
            code: string | null;
        };
        ConsoleCheckedSignature: {
            valid: boolean;
            /** One sentence: what fits, or what does not. */
            reason: string;
        };
        ConsoleCheckedTemplate: {
            /** Every problem that a submission would be rejected for; at most 20. */
            problems: {
                field: string;
                /** @enum {string} */
                code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_short" | "too_long" | "out_of_range" | "too_many_items" | "duplicate" | "invalid_phone_number" | "invalid_language" | "invalid_url" | "https_required" | "mutually_exclusive" | "one_of_required" | "invalid_secret";
                message: string;
            }[];
            preview: components["schemas"]["TemplatePreview"];
        };
        ConsoleConfirmRequest: {
            password: string;
        };
        ConsoleConnection: {
            id: string;
            /** What its calls have in the log of API requests. */
            key_id: string;
            name: string;
            /** @enum {string} */
            tool: "chatwoot" | "typebot" | "n8n" | "pywa" | "evolution" | "generic";
            /** @enum {string} */
            status: "active" | "revoked" | "expired";
            /** Base address for the tool. */
            address: string;
            /** 15 digits, as an app id of Meta. */
            app_id: string;
            numbers: {
                id: string;
                phone_number: string;
                phone_number_id: string;
                waba_id: string;
            }[];
            /** Whether it may use every number of the account, also later ones. */
            all_numbers: boolean;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            allowed_ips: string[] | null;
            options: components["schemas"]["ConnectionOptions"];
            callback: {
                /** Its deliveries are read like those of a webhook. */
                webhook_id: string;
                url: string;
                /** @enum {string} */
                state: "active" | "unverified" | "paused" | "failing" | "gone" | "revoked";
                problem: string | null;
                /** Format: date-time */
                verified_at: string | null;
                /** Format: date-time */
                last_delivered_at: string | null;
            } | null;
            health: components["schemas"]["ConsoleConnectionHealth"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Since then requests have had the token in their address, where proxies may log it. (date-time) */
            token_in_address_since: string | null;
            /** After a rotation the old token works until then. (date-time) */
            previous_token_until: string | null;
            /** Whether there is a next app secret that does not sign yet. */
            next_secret_prepared: boolean;
        };
        ConsoleConnectionCallback: {
            /** Where the tool accepts callbacks. */
            url: string;
            /** The verify token that the tool shows; without it one is created. */
            verify_token?: string | null;
            /** Do not ask the address: a person knows that it is the tool. */
            waive?: boolean | null;
        };
        /** One thing to know about a connection. */
        ConsoleConnectionHealth: {
            /** @enum {string} */
            tone: "ok" | "info" | "warn" | "error";
            /** What it is, and what to do about it. */
            sentence: string;
        };
        ConsoleConnectionList: {
            connections: components["schemas"]["ConsoleConnection"][];
            connections_max: number;
        };
        ConsoleConnectionSecrets: {
            /** Signs callbacks. */
            app_secret: string;
            /** Signs callbacks after the switch. */
            next_app_secret: string | null;
            /** What the tool is asked for. */
            verify_token: string | null;
        };
        ConsoleConnectionToken: {
            connection: components["schemas"]["ConsoleConnection"];
            /** Shown once only. */
            token: string;
        };
        ConsoleConversation: {
            customer_id: string | null;
            customer: string;
            name: string | null;
            unread: number;
            /** @enum {string} */
            state: "open" | "closed";
            assignee: components["schemas"]["Assignee"] | null;
            /** Format: date-time */
            waiting_since: string | null;
            /** Replies are sent from it: the number they last wrote to, if it is still connected. */
            number: {
                id: string;
                phone_number: string;
                sandbox: boolean;
            } | null;
            window: {
                /** @enum {string} */
                state: "open" | "closed" | "unknown";
                /** Format: date-time */
                expires_at: string | null;
                /** Anything but a template may be sent. */
                free_form: boolean;
            };
            /** Who replies in this conversation. */
            control: {
                /** @enum {string} */
                owner: "gateway" | "other" | "nobody";
                role: string | null;
                /** Format: date-time */
                since: string | null;
                /** Another responder was seen in it. */
                shared: boolean;
                /** What the previous responder wrote. */
                summary: string | null;
            };
            marketing: {
                /** @enum {string} */
                state: "opted_out" | "opted_in" | "unknown";
                /** Format: date-time */
                since: string | null;
            };
            /** When they were blocked from here, if they still are. (date-time) */
            blocked_at: string | null;
            messages: {
                id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                type: string;
                status: string;
                /** Whether Meta has accepted the message is not known. */
                unresolved: boolean;
                template: string | null;
                reply_to: string | null;
                /** The message that it replies to, if it is kept. */
                quoted: {
                    id: string;
                    /** @enum {string} */
                    direction: "outbound" | "inbound";
                    type: string;
                    preview: string | null;
                } | null;
                /** Written in a group, not to the account alone. */
                in_group: boolean;
                /** How it came here, where not through this gateway. */
                origin: string | null;
                number: string | null;
                /** The person who sent it from the console. */
                sent_by: string | null;
                /** The API key it was sent with. */
                key_name: string | null;
                /** Format: date-time */
                at: string;
                /** When a waiting message will be sent. (date-time) */
                send_at: string | null;
                content: {
                    [key: string]: unknown;
                } | null;
                failure: {
                    code: string;
                    what: string;
                    /** What Meta said. */
                    why: string | null;
                    help: string;
                    upstream_code: number | null;
                } | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleConversationSearch: {
            conversations: {
                /** Id of the customer. */
                customer_id: string;
                /** The phone number or user id of the customer. */
                customer: string;
                /** Name in their WhatsApp profile, if they have written. */
                name: string | null;
                /** Your number that they wrote to last. */
                phone_number: string | null;
                /** A new message of the customer opens a closed conversation. */
                state: "open" | "closed";
                /** Who replies to the customer; null: nobody in particular. */
                assignee: {
                    /** Id of the person. */
                    user_id: string;
                    /** Name of the person. */
                    name: string;
                } | null;
                /** Since when the assignee has it. (date-time) */
                assigned_at: string | null;
                /** Messages that nobody has read. */
                unread: number;
                /** Time of the first message without a reply. (date-time) */
                waiting_since: string | null;
                /** When the customer last wrote. (date-time) */
                last_inbound_at: string | null;
                /** When the customer last wrote, or a person last replied. (date-time) */
                active_at: string;
                /** When it was closed. (date-time) */
                closed_at: string | null;
                /** 24-hour window that opens with each message of the customer. */
                window: {
                    /** Whether you may send more than templates now. */
                    state: "open" | "closed" | "unknown";
                    /** 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen. (date-time) */
                    expires_at: string | null;
                };
                /** The newest message in either direction. */
                last_message: {
                    /** Id of the message. */
                    message_id: string;
                    /** `outbound` is sent by you. */
                    direction: "outbound" | "inbound";
                    /** Type of the message. */
                    type: string;
                    /** Status of the message. */
                    status: string;
                    /** Name of the template, if it is one. */
                    template: string | null;
                    /** The beginning of its content. */
                    preview: string | null;
                    /** Why it was not sent or delivered. */
                    error_code: string | null;
                    /** When the gateway got it. (date-time) */
                    created_at: string;
                } | null;
                /** The newest message in either direction. */
                found: {
                    /** Id of the message. */
                    message_id: string;
                    /** `outbound` is sent by you. */
                    direction: "outbound" | "inbound";
                    /** Type of the message. */
                    type: string;
                    /** Status of the message. */
                    status: string;
                    /** Name of the template, if it is one. */
                    template: string | null;
                    /** The beginning of its content. */
                    preview: string | null;
                    /** Why it was not sent or delivered. */
                    error_code: string | null;
                    /** When the gateway got it. (date-time) */
                    created_at: string;
                } | null;
            }[];
            /** The phone number that was searched for, if it is one. */
            address: string | null;
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleCreatedApiKey: {
            key: components["schemas"]["ConsoleApiKey"];
            /** Shown once only. */
            api_secret: string;
        };
        ConsoleCustomer: {
            customer_id: string | null;
            customer: string;
            names: string[];
            addresses: {
                address: string;
                /** @enum {string} */
                kind: "phone" | "user_id";
            }[];
            numbers: {
                phone_number: string | null;
                /** Format: date-time */
                last_inbound_at: string | null;
                window: {
                    /** @enum {string} */
                    state: "open" | "closed" | "unknown";
                    /** Format: date-time */
                    expires_at: string | null;
                };
                marketing: {
                    /** @enum {string} */
                    state: "opted_out" | "opted_in" | "unknown";
                    /** Format: date-time */
                    since: string | null;
                };
            }[];
            /** The gateway itself rejects marketing to customers who opted out. */
            marketing_enforced: boolean;
            /** Format: date-time */
            last_message_at: string | null;
        };
        ConsoleCustomerChoice: {
            /** A phone number or a user id. */
            customer: string;
        };
        ConsoleDeliveryLog: {
            deliveries: components["schemas"]["ConsoleLoggedDelivery"][];
            pagination: components["schemas"]["Pagination"];
            attempts_max: number;
        };
        ConsoleDone: {
            /** @enum {boolean} */
            done: true;
        };
        ConsoleErasureReceipt: {
            /** Masked. */
            customer: string;
            /** Format: date-time */
            erased_at: string;
            erased_by: string;
            rows: {
                table: string;
                count: number;
            }[];
            /** Callbacks from Meta that name the customer and are not applied yet. Erase again after them. */
            callbacks_waiting: number;
            /** User ids that Meta's contact book may still have. Erase again to retry. */
            contact_book_failed: string[];
            /** Deleted files of the account whose bytes could not be removed from their storage yet. Retried. */
            files_waiting: number;
        };
        ConsoleForgotRequest: {
            email: string;
        };
        ConsoleFoundDeliveries: {
            deliveries: {
                id: string;
                webhook_id: string;
                url: string;
                type: string;
                status: string;
            }[];
            /** The message the event is about. */
            message_id: string | null;
        };
        ConsoleHome: {
            figures: {
                sent: number;
                delivered: number;
                read: number;
                failed: number;
                received: number;
                /** Messages that were requested, whether or not they were sent. */
                created: number;
                /** Sends that were rejected before a message existed. */
                not_sent: number;
                /** No more of them are counted than this. */
                not_sent_max: number;
                /** Delivered of created, in percent. */
                delivery_rate: number | null;
                /** Read of delivered, in percent. */
                read_rate: number | null;
                /** The last 24 hours, oldest first. */
                hours: {
                    /** Format: date-time */
                    start: string;
                    created: number;
                    sent: number;
                    delivered: number;
                    read: number;
                    failed: number;
                    received: number;
                }[];
            };
            attention: components["schemas"]["ConsoleAttention"][];
            channel: {
                phone_number: string;
                name: string | null;
                sandbox: boolean;
                healthy: boolean;
                quality: string | null;
                messaging_limit: string | null;
                /** Format: date-time */
                last_event_at: string | null;
            } | null;
        };
        ConsoleInboxCounts: {
            /** Open conversations. */
            open: number;
            /** Open conversations with unread messages. */
            unread: number;
            /** Open conversations of the signed-in person. */
            mine: number;
            /** Open conversations of nobody. */
            unassigned: number;
            /** Customers without a reply. */
            waiting: number;
            /** Since when the one who waits longest does. (date-time) */
            waiting_since: string | null;
            /** A number as large as this means that there are at least so many. */
            counted_max: number;
        };
        ConsoleInstallationHealth: {
            /** Worst first; empty when nothing is wrong. */
            troubles: components["schemas"]["ConsoleTrouble"][];
            queues: {
                name: string;
                waiting: number;
                /** When the oldest was due; null when nothing is. (date-time) */
                oldest_at: string | null;
            }[];
            database: {
                engine: string;
                bytes: number;
                probe_ms: number;
            };
            nodes: {
                name: string;
                /** @enum {string} */
                state: "running" | "down" | "stopped";
                version: string;
                role: string;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                seen_at: string;
                /** From its clock to that of the database. */
                clock_offset_ms: number;
                /** p99 delay of its event loop. */
                loop_lag_ms: number;
                /** Of one core. */
                cpu_percent: number;
                memory_bytes: number;
                /** Of the file system of its data folder. */
                disk_bytes: number;
                disk_free_bytes: number;
            }[];
            backup: {
                /** Format: date-time */
                at: string | null;
                /** `archive`: PostgreSQL last archived its log then. */
                by: "backup" | "archive";
            };
            /** The database, day by day. */
            growth: {
                /** Format: date-time */
                date: string;
                bytes: number;
            }[];
        };
        ConsoleInvitation: {
            name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
        };
        ConsoleInvited: {
            member: components["schemas"]["ConsoleMember"];
            /** Works once, for 7 days; shown only now. */
            link: string;
            /** It is on its way to their address too. */
            mailed: boolean;
            /** Format: date-time */
            expires_at: string;
        };
        ConsoleKeyAccess: {
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            allowed_ips?: string[] | null;
        };
        /** Null on a plan without limits. */
        ConsoleLimits: {
            hour: {
                quota: number;
                used: number;
                /** Format: date-time */
                resets_at: string;
            } | null;
            day: {
                quota: number;
                used: number;
                /** Format: date-time */
                resets_at: string;
            } | null;
        };
        /** A `postern listen` that was there within the last 24 hours. */
        ConsoleListener: {
            /** Its log is read like that of a webhook. */
            id: string;
            /** The API key it listens with. */
            key_name: string | null;
            /** Whether it listens now. */
            connected: boolean;
            /** When it was last heard of. (date-time) */
            seen_at: string;
        };
        ConsoleLogEntry: {
            /** Of the message; of the request where nothing was sent. */
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** Masked where the role may not see people. */
            customer: string | null;
            name: string | null;
            type: string;
            template: string | null;
            /** The beginning of what it says; null where it is hidden or gone. */
            preview: string | null;
            /** @enum {string} */
            status: "waiting" | "queued" | "sent" | "delivered" | "read" | "failed" | "canceled" | "received" | "not_sent";
            /** Whether Meta has accepted the message is not known. */
            unresolved: boolean;
            /** Why it failed, or was not sent. */
            code: string | null;
            /** The response of the rejected call. */
            http_status: number | null;
            client_reference: string | null;
        };
        ConsoleLogFilters: {
            templates: string[];
            keys: {
                id: string;
                name: string;
            }[];
        };
        ConsoleLoggedDelivery: {
            delivery: components["schemas"]["Delivery"];
            /** Of the latest attempt. */
            status_code: number | null;
            error_code: string | null;
            duration_ms: number | null;
        };
        ConsoleLoggedRequest: {
            /** The X-Request-Id of its response. */
            id: string;
            /** Format: date-time */
            at: string;
            method: string;
            route: string;
            status: number;
            code: string | null;
            key_id: string | null;
            key_name: string | null;
            duration_ms: number;
            /** At most 2 KiB. Kept for rejected requests, redacted; with `path`, unchanged except for secrets. */
            body: string | null;
            /** The address with ids and query. Kept while all numbers are of the sandbox. */
            path: string | null;
            /** The response, without secrets, at most 2 KiB. Kept together with `path`. */
            answer: string | null;
        };
        ConsoleManualSetup: {
            callback_url: string;
            verify_token: string;
            fields: string[];
            /** Meta has verified the address. */
            verified: boolean;
        };
        ConsoleMarkedConversation: {
            /** The outcome of the read receipt. */
            receipt: "sent" | "refused" | "none";
        };
        ConsoleMember: {
            id: string;
            name: string;
            email: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
            /** @enum {string} */
            status: "active" | "invited";
            two_factor: boolean;
            /** The mail with their invitation. */
            mail: {
                /** @enum {string} */
                status: "waiting" | "sent" | "failed";
                /** What the mail server said. */
                error: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        ConsoleMemberList: {
            members: components["schemas"]["ConsoleMember"][];
        };
        ConsoleMessageDetail: {
            id: string;
            /** The gateway’s own id, which always works. */
            own_id: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            type: string;
            status: string;
            unresolved: boolean;
            held: boolean;
            from: string | null;
            to: string | null;
            customer: string | null;
            name: string | null;
            number_id: string;
            sandbox: boolean;
            template: string | null;
            language: string | null;
            client_reference: string | null;
            reply_to: string | null;
            group_id: string | null;
            key_id: string | null;
            key_name: string | null;
            /** The person who sent it from the console. */
            sent_by: string | null;
            /** Format: date-time */
            created_at: string;
            content: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            content_purged_at: string | null;
            hidden: boolean;
            failure: {
                code: string;
                what: string;
                /** What Meta said. */
                why: string | null;
                help: string;
                upstream_code: number | null;
            } | null;
            history: {
                status: string;
                /** Format: date-time */
                at: string;
                /** Format: date-time */
                recorded_at: string;
                inferred: boolean;
            }[];
            window: {
                /** @enum {string} */
                state: "open" | "closed" | "unknown";
                /** Format: date-time */
                expires_at: string | null;
            };
            marketing: {
                /** @enum {string} */
                state: "opted_out" | "opted_in" | "unknown";
                /** Format: date-time */
                since: string | null;
            };
            events: components["schemas"]["ConsoleTracedEvent"][];
            /** The API call that sends a message like this one. */
            request: {
                path: string;
                body: {
                    [key: string]: unknown;
                };
            } | null;
            /** The response of GET /v1/chat/messages/{id}. */
            record: {
                [key: string]: unknown;
            };
        };
        ConsoleMessageLog: {
            entries: components["schemas"]["ConsoleLogEntry"][];
            pagination: components["schemas"]["Pagination"];
            /** Use `since` for later messages. (date-time) */
            as_of: string;
            /** The role may not see people and what they write. */
            hidden: boolean;
        };
        ConsoleNewApiKey: {
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            /** Format: date-time */
            expires_at?: string | null;
            allowed_ips?: string[] | null;
        };
        ConsoleNewConnection: {
            name: string;
            /** @enum {string} */
            tool: "chatwoot" | "typebot" | "n8n" | "pywa" | "evolution" | "generic";
            /** Connected numbers by id; without it all, also later ones. */
            numbers?: string[] | null;
            scopes?: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[] | null;
            allowed_ips?: string[] | null;
        };
        ConsoleNewTenant: {
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
        };
        ConsoleOidcAddress: {
            /** Send the browser there. */
            url: string;
        };
        ConsoleOidcCode: {
            code: string;
        };
        ConsoleOidcLink: {
            /** A path of the console to come back to. */
            return_to: string;
        };
        ConsoleOidcStart: {
            token?: string;
            /** A path of the console to come back to. */
            return_to?: string;
        };
        ConsoleOperatorAudit: {
            entries: {
                id: string;
                /** Format: date-time */
                at: string;
                /** Empty where it is about the installation. */
                account_id: string;
                account_name: string;
                /** What it was about, of the installation only. */
                target: string | null;
                action: string;
                actor_type: string;
                /** Of operators and of the gateway; people of an account stay nameless here. */
                actor_name: string | null;
            }[];
            more: boolean;
        };
        ConsoleOwnProfile: {
            name: string;
        };
        ConsolePasswordChange: {
            current_password: string;
            new_password: string;
        };
        ConsolePreferenceChoice: {
            /** A phone number or a user id. */
            customer: string;
            /** @enum {string} */
            preference: "opted_out" | "opted_in";
        };
        ConsolePresence: {
            /** The other people who have the conversation open. They are gone 15 s after their last signal. */
            people: {
                user_id: string;
                name: string;
                /** They are writing a reply. */
                typing: boolean;
            }[];
        };
        ConsolePresenceSignal: {
            /** A phone number or a user id. */
            customer: string;
            /** They are writing a reply. */
            typing: boolean;
        };
        ConsoleProgress: {
            steps: components["schemas"]["ConsoleSetupStep"][];
            /** Of the four that are needed. */
            done: number;
            sandbox: {
                connected: boolean;
                available: boolean;
            };
            first_message_sent: boolean;
            /** A number of your own is connected, beside or instead of the sandbox. */
            live: boolean;
        };
        ConsoleRateCard: {
            id: string;
            /** @enum {string} */
            kind: "rates" | "regions";
            currency: string | null;
            from: string;
            name: string;
            /** Markets, or countries. */
            rows: number;
            /** Imported by the operator. */
            for_all_accounts: boolean;
            /** Format: date-time */
            imported_at: string;
            imported_by: string;
            /** Format: date-time */
            removed_at: string | null;
            replaced_by: string | null;
        };
        ConsoleRateCards: {
            cards: components["schemas"]["ConsoleRateCard"][];
            /** Those of the connected WhatsApp Business accounts. */
            currencies: string[];
        };
        ConsoleRateCheck: {
            kind: ("rates" | "regions") | null;
            currency: string | null;
            rows: number;
            /** The first rows, as they were understood. */
            sample: {
                name: string;
                values: string[];
            }[];
            columns: string[];
            problems: {
                line: number;
                column: string | null;
                message: string;
            }[];
        };
        ConsoleRateImport: {
            /** Of the file. */
            name: string;
            from: string;
            currency?: string | null;
            /** The file. */
            text: string;
        };
        ConsoleRecoveryCodes: {
            /** Each works once; shown only now. */
            recovery_codes: string[];
        };
        ConsoleReplayPreview: {
            matched: number;
            sample: components["schemas"]["Delivery"][];
        };
        ConsoleRequestList: {
            requests: components["schemas"]["ConsoleLoggedRequest"][];
            pagination: components["schemas"]["Pagination"];
            /** Which calls are kept (`POSTERN_REQUEST_LOG`). */
            keeps: "all" | "refused" | "off";
        };
        ConsoleRoleChange: {
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
        };
        ConsoleSandboxAct: {
            number_id: string;
            /** The phone number of the simulated customer. */
            customer: string;
            act: {
                /** @enum {string} */
                kind: "text";
                text: string;
            } | {
                /** @enum {string} */
                kind: "media";
                /** @enum {string} */
                type: "image" | "document" | "audio" | "video" | "sticker";
                caption?: string | null;
                filename?: string | null;
                mime_type?: string | null;
                /** A tiny sample without it. */
                data_base64?: string | null;
            } | {
                /** @enum {string} */
                kind: "button";
                id: string;
                title: string;
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "list";
                id: string;
                title: string;
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "quick_reply";
                payload: string;
                title: string;
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "location";
                latitude: number;
                longitude: number;
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "form";
                /** What was filled in: a Flow, or the form for an address. */
                name: "flow" | "address_message";
                answers: {
                    [key: string]: unknown;
                };
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "order";
                catalog_id: string;
                /** One piece of each. */
                product_ids: string[];
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "call_permission";
                granted: boolean;
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "contact_info";
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "payment_method";
                /** Of the order that is paid with a saved card. */
                reference_id: string;
                message_id: string;
            };
        };
        ConsoleSandboxActed: {
            message_id: string;
        };
        ConsoleSandboxBehaviour: {
            number_id: string;
            /** What the next message will do; afterwards messages are read again. */
            next: "read" | "delivered" | "sent" | "unreachable" | "fails_after_sent" | "rate_limited" | "no_answer";
            /** Between one status and the next. */
            delay_ms: number;
            read_receipts: boolean;
        };
        ConsoleSandboxConversation: {
            phone: string;
            business: string;
            window: {
                /** @enum {string} */
                state: "open" | "closed" | "unknown";
                /** Format: date-time */
                expires_at: string | null;
            };
            messages: {
                id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                type: string;
                status: string;
                code: string | null;
                template: string | null;
                reply_to: string | null;
                /** Format: date-time */
                at: string;
                content: {
                    [key: string]: unknown;
                } | null;
            }[];
            last_request: {
                path: string;
                body: {
                    [key: string]: unknown;
                };
            } | null;
        };
        ConsoleSandboxLines: {
            numbers: {
                id: string;
                phone_number: string;
                name: string | null;
                default: boolean;
            }[];
            /** A sandbox runs beside this gateway; a number of it can be connected. */
            available: boolean;
        };
        ConsoleSandboxNewCustomer: {
            number_id: string;
            /** The phone number of the simulated customer. */
            customer: string;
            name: string;
        };
        ConsoleSandboxPhone: {
            number: {
                id: string;
                phone_number: string;
                name: string | null;
            };
            customers: {
                phone: string;
                name: string | null;
                last: {
                    preview: string;
                    /** Format: date-time */
                    at: string;
                } | null;
            }[];
            behaviour: {
                /** What the next message will do; afterwards messages are read again. */
                next: "read" | "delivered" | "sent" | "unreachable" | "fails_after_sent" | "rate_limited" | "no_answer";
                /** Between one status and the next. */
                delay_ms: number;
                read_receipts: boolean;
            };
        };
        ConsoleSandboxWindow: {
            number_id: string;
            /** The phone number of the simulated customer. */
            customer: string;
            /** @enum {string} */
            state: "open" | "closed";
        };
        ConsoleSendAgain: {
            /** Another customer than the first time. */
            to?: string | null;
        };
        ConsoleSentByHand: {
            message_id: string;
        };
        ConsoleSession: {
            id: string;
            user: {
                id: string;
                name: string;
                email: string | null;
                /** @enum {string} */
                role: "owner" | "admin" | "developer" | "support" | "viewer";
                /** `setup_required`: the account requires it, and all other routes reject requests until it is set up. */
                two_factor: "on" | "off" | "setup_required";
                /** The person can sign in with a password. */
                password: boolean;
                /** Host of the provider that the person signs in with. */
                provider: string | null;
            };
            account: {
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "starter" | "professional" | "enterprise";
                status: string;
                /** The account and all it holds will be deleted then. (date-time) */
                delete_at: string | null;
                /** Messages that name no number go to the sandbox. */
                sandbox: boolean;
                /** Members without two-factor sign-in must set it up. */
                two_factor_required: boolean;
            };
            /** The accounts of the person, to switch to. */
            accounts: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "developer" | "support" | "viewer";
                status: string;
            }[];
            /** The person operates the installation. */
            operator: boolean;
            /** What the role may do. */
            actions: ("account:write" | "analytics:read" | "audit:read" | "blocked:read" | "blocked:write" | "broadcasts:read" | "broadcasts:write" | "budgets:write" | "channel:read" | "channel:write" | "connections:read" | "connections:write" | "conversations:read" | "conversations:write" | "costs:read" | "customers:erase" | "customers:read" | "customers:write" | "installation:operate" | "keys:read" | "keys:write" | "logs:read" | "media:write" | "members:read" | "members:write" | "messages:read" | "messages:send" | "pii:read" | "profile:read" | "profile:write" | "rates:write" | "sandbox:use" | "templates:read" | "templates:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** Names of the people to ask for more. */
            owners: string[];
            /** Signed out then, unless something happens before. (date-time) */
            ends_at: string;
            /** False in the last hours of the 7 days: nothing puts the end off. */
            extendable: boolean;
            /** Host of the provider that people can sign in with. */
            provider: string | null;
            /** Where clients reach the API; for code samples. */
            base_url: string;
            version: string;
        };
        ConsoleSessionList: {
            sessions: {
                id: string;
                user_id: string;
                user_name: string;
                account_name: string;
                current: boolean;
                ip: string | null;
                user_agent: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_seen_at: string;
            }[];
        };
        ConsoleSettingList: {
            settings: {
                name: string;
                /** Of a secret only whether it is set. */
                value: string;
                description: string;
            }[];
        };
        ConsoleSetupEntry: {
            token: string;
            code?: string;
        };
        ConsoleSetupLink: {
            /** @enum {string} */
            purpose: "owner" | "invite" | "reset" | "enter";
            account_name: string;
            /** Null until a person has taken over the record. */
            name: string | null;
            /** Null: the person chooses it. */
            email: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
            /** Setting a new password needs a code too. */
            two_factor: boolean;
            /** Format: date-time */
            expires_at: string;
        };
        ConsoleSetupLookup: {
            token: string;
        };
        ConsoleSetupRequest: {
            token: string;
            name: string;
            email: string;
            password: string;
            code?: string;
        };
        ConsoleSetupStep: {
            /** @enum {string} */
            id: "channel" | "business" | "templates" | "key" | "webhook";
            title: string;
            why: string;
            /** @enum {string} */
            state: "todo" | "waiting" | "done" | "problem";
            /** Where it stands. */
            text: string | null;
            optional: boolean;
            /** The latest rejected call, while no key has been used. */
            refusal: {
                code: string;
                /** Format: date-time */
                at: string;
                request_id: string;
            } | null;
        };
        ConsoleSignInRequest: {
            email: string;
            password: string;
            code?: string;
        };
        ConsoleSignInWays: {
            /** Passwords sign people in. */
            password: boolean;
            /** Host of the OpenID Connect provider. */
            provider: string | null;
            /** A link to a new password can be mailed. */
            mail: boolean;
            /** A person has taken over an account and can sign in. */
            set_up: boolean;
        };
        ConsoleSignatureToCheck: {
            /** The header webhook-id. */
            id: string;
            /** The header webhook-timestamp. */
            timestamp: string;
            /** The header webhook-signature. */
            signature: string;
            /** The body, byte for byte. */
            body: string;
        };
        ConsoleSignup: {
            id: string;
            /** `granted`: the token is stored, and a number has to be chosen or registered. */
            step: "opened" | "redeeming" | "granted" | "connected" | "ended";
            /** The number stays in use with the WhatsApp Business app. */
            on_business_app: boolean;
            /** Why it ended without a channel. */
            problem: string | null;
            choices: {
                business_id: string;
                phone_number_id: string;
                phone_number: string | null;
                display_name: string | null;
                /** It has to be registered first. */
                needs_pin: boolean;
            }[];
            channel: components["schemas"]["ConsoleChannel"] | null;
            steps: components["schemas"]["ConsoleCheckStep"][];
            /** `done`: Meta was asked, and sends it in callbacks. `late`: 24 hours had passed. `unknown`: the response got lost; Meta accepts the request only once. */
            contacts_sync: ("due" | "asking" | "done" | "late" | "refused" | "unknown") | null;
            /** `done`: Meta was asked, and sends it in callbacks. `late`: 24 hours had passed. `unknown`: the response got lost; Meta accepts the request only once. */
            history_sync: ("due" | "asking" | "done" | "late" | "refused" | "unknown") | null;
        };
        ConsoleSignupChoice: {
            phone_number_id?: string | null;
            pin?: string | null;
            /** Replace callback addresses that belong to another service. */
            take_over?: boolean | null;
        };
        ConsoleSignupList: {
            signups: components["schemas"]["ConsoleSignup"][];
        };
        ConsoleSignupReturn: {
            state: string;
            /** Left out where Meta gave none. */
            code?: string | null;
            /** The word with which Meta refused. */
            error?: string | null;
            /** A claim of the browser, checked against what the token can see. */
            business_id?: string | null;
        };
        ConsoleSignupStart: {
            on_business_app?: boolean | null;
        };
        ConsoleSignupStarted: {
            id: string;
            /** The page of Meta to open in this browser. */
            url: string;
        };
        ConsoleTableSizes: {
            /** The largest first. */
            tables: {
                name: string;
                bytes: number;
            }[];
        };
        ConsoleTenant: {
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            status: string;
            /** The account and all it holds will be deleted then. (date-time) */
            delete_at: string | null;
            requests_today: number;
            requests_quota: number | null;
            media_bytes: number;
            media_quota: number | null;
            members: number;
            has_owner: boolean;
            channels_failing: number;
            webhooks_failing: number;
            /** Format: date-time */
            created_at: string;
            /** Of a person or an API key. (date-time) */
            last_active_at: string | null;
        };
        ConsoleTenantCreated: {
            id: string;
            name: string;
            /** For the owner. Works once, for one hour; shown only now. */
            link: string;
            /** Format: date-time */
            expires_at: string;
        };
        ConsoleTenantDeletion: {
            /** The name of the account, typed again. */
            confirm: string;
        };
        ConsoleTenantDeletionPlanned: {
            /** Format: date-time */
            delete_at: string;
        };
        ConsoleTenantList: {
            accounts: components["schemas"]["ConsoleTenant"][];
            more: boolean;
        };
        ConsoleTenantPlan: {
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
        };
        ConsoleTenantStatus: {
            /** @enum {string} */
            status: "active" | "suspended";
        };
        ConsoleTracedEvent: {
            id: string;
            type: string;
            message_id: string | null;
            /** Format: date-time */
            at: string;
            deliveries: {
                delivery_id: string;
                webhook_id: string;
                url: string;
                status: string;
                attempts: number;
                status_code: number | null;
                error_code: string | null;
                duration_ms: number | null;
                /** Format: date-time */
                next_attempt_at: string | null;
            }[];
        };
        ConsoleTrouble: {
            /** What is wrong, as one stable word. */
            kind: string;
            /** @enum {string} */
            tone: "error" | "warn";
            text: string;
            /** What to do. */
            fix: string;
            /** Format: date-time */
            since: string | null;
            account_id: string | null;
        };
        ConsoleTwoFactorConfirmation: {
            code: string;
        };
        ConsoleTwoFactorRule: {
            required: boolean;
        };
        ConsoleTwoFactorSetup: {
            /** Base32, for typing. */
            secret: string;
            /** The same for a QR code: `otpauth://totp/…`. */
            uri: string;
        };
        ConsoleTwoFactorState: {
            /** Null while it is off. (date-time) */
            since: string | null;
            recovery_codes_left: number;
        };
        ConsoleUsage: {
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            limits: components["schemas"]["ConsoleLimits"];
            /** Bytes of stored files; `quota` is null without a limit. */
            media_bytes: {
                quota: number | null;
                used: number;
            };
            /** The last 24 UTC hours, the running one last. */
            hours: {
                /** Format: date-time */
                start: string;
                used: number;
            }[];
            /** The last 30 UTC days, today last. */
            days: {
                /** Format: date-time */
                start: string;
                used: number;
            }[];
        };
        ConsoleWaivedCheck: {
            /** Do not ask the address: a person knows that it is the tool. */
            waive?: boolean | null;
        };
        ConsoleWebhookDetail: {
            webhook: components["schemas"]["Webhook"];
            /** Deliveries that wait for their next attempt. */
            pending: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** No attempt has succeeded since. (date-time) */
            failing_since: string | null;
            /** When the latest attempt began that its present address accepted. (date-time) */
            last_success: string | null;
            /** Until then the old secret signs beside the new one. (date-time) */
            previous_secret_until: string | null;
            /** The last 24 hours, the running one last. */
            hours: {
                /** Format: date-time */
                start: string;
                delivered: number;
                failed: number;
            }[];
            /** Of the latest attempts. */
            duration_ms_p95: number | null;
        };
        ConsoleWebhookStanding: {
            webhook: components["schemas"]["Webhook"];
            /** Deliveries that wait for their next attempt. */
            pending: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** No attempt has succeeded since. (date-time) */
            failing_since: string | null;
            /** When the latest attempt began that its present address accepted. (date-time) */
            last_success: string | null;
        };
        ConsoleWebhookStandings: {
            webhooks: components["schemas"]["ConsoleWebhookStanding"][];
            webhooks_max: number;
            listeners: components["schemas"]["ConsoleListener"][];
        };
        /** What to do with the conversation. */
        ControlRequest: {
            /** The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** `pass` gives the conversation to another responder, `release` lets Meta route the customer's next message. Only the escalation partner can use `take`. */
            action: "pass" | "release" | "take";
            /** Who gets the conversation with `pass`. Default: the escalation partner. */
            role?: ("ai_agent" | "ctwa" | "customer_service" | "escalation" | "marketing" | "utility") | null;
            /** For the next responder. */
            note?: string | null;
        };
        /** The messages with a customer, and their assignee. */
        Conversation: {
            /** Id of the customer. */
            customer_id: string;
            /** The phone number or user id of the customer. */
            customer: string;
            /** Name in their WhatsApp profile, if they have written. */
            name: string | null;
            /** Your number that they wrote to last. */
            phone_number: string | null;
            /** A new message of the customer opens a closed conversation. */
            state: "open" | "closed";
            /** Who replies to the customer; null: nobody in particular. */
            assignee: {
                /** Id of the person. */
                user_id: string;
                /** Name of the person. */
                name: string;
            } | null;
            /** Since when the assignee has it. (date-time) */
            assigned_at: string | null;
            /** Messages that nobody has read. */
            unread: number;
            /** Time of the first message without a reply. (date-time) */
            waiting_since: string | null;
            /** When the customer last wrote. (date-time) */
            last_inbound_at: string | null;
            /** When the customer last wrote, or a person last replied. (date-time) */
            active_at: string;
            /** When it was closed. (date-time) */
            closed_at: string | null;
            /** 24-hour window that opens with each message of the customer. */
            window: {
                /** Whether you may send more than templates now. */
                state: "open" | "closed" | "unknown";
                /** 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen. (date-time) */
                expires_at: string | null;
            };
            /** The newest message in either direction. */
            last_message: {
                /** Id of the message. */
                message_id: string;
                /** `outbound` is sent by you. */
                direction: "outbound" | "inbound";
                /** Type of the message. */
                type: string;
                /** Status of the message. */
                status: string;
                /** Name of the template, if it is one. */
                template: string | null;
                /** The beginning of its content. */
                preview: string | null;
                /** Why it was not sent or delivered. */
                error_code: string | null;
                /** When the gateway got it. (date-time) */
                created_at: string;
            } | null;
        };
        /** Who replies in a conversation, as far as Meta has reported. */
        ConversationControl: {
            /** The customer, as given. */
            customer_id: string;
            /** Your number. */
            phone_number: string;
            /** `gateway`: you. `other`: another responder; a free-form message is rejected with `thread_owned_elsewhere`, a template is not. `nobody`: the next message decides. */
            owner: "gateway" | "other" | "nobody";
            /** What Meta calls the other responder, such as `ai_agent`; null if it did not say. */
            role: string | null;
            /** Since when, if known. (date-time) */
            since: string | null;
            /** Another responder was seen in this conversation. */
            shared: boolean;
            /** What the previous responder wrote for you. */
            summary: string | null;
        };
        /** A page of conversations. */
        ConversationList: {
            /** The conversations of this page. */
            conversations: components["schemas"]["Conversation"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** What messages cost in one currency. */
        Cost: {
            /** Currency in which Meta bills the WhatsApp Business account; null until Meta reports it. */
            currency: string | null;
            /** Sum of the messages that have a price, as a decimal number; null when none has. */
            amount: string | null;
            /** Delivered messages in the amount, free ones included. */
            priced: number;
            /** Messages that Meta reports as free. */
            free: number;
            /** Delivered messages without a rate: there is no card for the day, or no rate for the country or category. */
            unpriced: number;
            /** Meta's own figure for the same, which it describes as approximate; null if Meta reports none: for groupings and filters other than country, day and `pricing_category`, in analytics, and for accounts on a partner's credit line. */
            reported: string | null;
        };
        /** Cost of delivered messages, by the imported rate cards. */
        Costs: {
            /** First day. */
            from: string;
            /** The day after the last one. */
            to: string;
            /** How the groups are divided. */
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "broadcast" | "day" | "pricing_category")[];
            /** When it was counted. (date-time) */
            as_of: string;
            /** The time zones in which days begin: those of your WhatsApp Business accounts, if Meta reported them; otherwise UTC. */
            time_zones: string[];
            /** One sum for each currency; empty when nothing was delivered. */
            totals: components["schemas"]["Cost"][];
            /** The most expensive first, days in their order; empty without `group_by`. */
            groups: {
                /** One value per grouping; null where messages have none. */
                group: {
                    /** The template of this group. */
                    template?: string | null;
                    /** The type of this group. */
                    type?: string | null;
                    /** The category of this group. */
                    category?: string | null;
                    /** The country of this group. */
                    country?: string | null;
                    /** The phone number of this group. */
                    phone_number?: string | null;
                    /** The api key of this group. */
                    api_key?: string | null;
                    /** The broadcast of this group. */
                    broadcast?: string | null;
                    /** The day of this group. */
                    day?: string | null;
                    /** The pricing category of this group. */
                    pricing_category?: string | null;
                };
                /** One sum for each currency. */
                costs: components["schemas"]["Cost"][];
            }[];
            /** Groups beyond `limit_groups`. */
            groups_left_out: number;
            /** When Meta's figures were last requested, which happens once a day; null before the first time. (date-time) */
            reported_as_of: string | null;
            /** The newest tier of each account, category and market in the months of these days, the newest month first; empty while Meta reports none. */
            volume_tiers: components["schemas"]["VolumeTier"][];
        };
        /** The webhook that was created. */
        CreatedWebhook: {
            /** Id of the webhook, `whk_…`. */
            id: string;
            /** Address of the receiver. */
            url: string;
            /** Event types the webhook gets. */
            events: string[];
            /** Whether events are delivered. */
            active: boolean;
            /** When the webhook was created. (date-time) */
            created_at: string;
        };
        /** A customer, and what each of your numbers knows of them. */
        Customer: {
            /** Id of the customer, which stays when their number or user id changes. */
            customer_id: string;
            /** Name in their WhatsApp profile, if they have written. */
            name: string | null;
            /** The address to send to: their current number, otherwise their user id. */
            address: string | null;
            /** Every address the customer is known by. */
            addresses: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                address: string;
                /** What it is at WhatsApp. */
                kind: "phone_number" | "user_id" | "parent_user_id";
                /** False for one that the customer had before. */
                current: boolean;
                /** When it was first seen as theirs. (date-time) */
                since: string;
            }[];
            /** When they last wrote, or were written to; the latter is noted once an hour. (date-time) */
            active_at: string;
            /** When they were first seen. (date-time) */
            created_at: string;
            /** Numbers that the customer wrote to, or said something about. */
            numbers: {
                /** Your number; null for one that is no longer known. */
                phone_number: string | null;
                /** When the customer last wrote to it. (date-time) */
                last_inbound_at: string | null;
                /** 24-hour window that opens with each message of the customer. */
                window: {
                    /** Whether you may send more than templates now. */
                    state: "open" | "closed" | "unknown";
                    /** 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen. (date-time) */
                    expires_at: string | null;
                };
                /** Whether the customer accepts marketing messages from it. */
                marketing: {
                    /** What was said last. */
                    state: "opted_out" | "opted_in" | "unknown";
                    /** When it was said. (date-time) */
                    since: string | null;
                    /** `whatsapp`, `keyword`, `console` or `api`: where it was said or recorded. */
                    source: string | null;
                    /** Who recorded it; null when the customer said it. */
                    recorded_by: string | null;
                };
            }[];
            /** The gateway itself rejects marketing to customers who opted out. */
            marketing_enforced: boolean;
            /** The newest message in either direction. */
            last_message: {
                /** Id of the message. */
                message_id: string;
                /** `outbound` is sent by you. */
                direction: "outbound" | "inbound";
                /** Type of the message. */
                type: string;
                /** Status of the message. */
                status: string;
                /** When the gateway got it. (date-time) */
                created_at: string;
            } | null;
        };
        /** A page of customers. */
        CustomerList: {
            /** The customers of this page. */
            customers: components["schemas"]["CustomerListItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** A customer in a list. */
        CustomerListItem: {
            /** Id of the customer, which stays when their number or user id changes. */
            customer_id: string;
            /** Name in their WhatsApp profile, if they have written. */
            name: string | null;
            /** The address to send to: their current number, otherwise their user id. */
            address: string | null;
            /** Every address the customer is known by. */
            addresses: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                address: string;
                /** What it is at WhatsApp. */
                kind: "phone_number" | "user_id" | "parent_user_id";
                /** False for one that the customer had before. */
                current: boolean;
                /** When it was first seen as theirs. (date-time) */
                since: string;
            }[];
            /** When they last wrote, or were written to; the latter is noted once an hour. (date-time) */
            active_at: string;
            /** When they were first seen. (date-time) */
            created_at: string;
        };
        /** What the customer said about marketing messages. */
        CustomerPreferenceRequest: {
            /** `opted_in` records consent to marketing messages, `opted_out` withdraws it. */
            marketing: "opted_in" | "opted_out";
            /** One of your numbers, or its id. Default: all of them. */
            from?: string | null;
        };
        /** A customer, who may be new. */
        CustomerRequest: {
            /** Phone number with + and country code, or the user id of a customer who hides the number. */
            address: string;
        };
        /** A broadcast that was deleted. */
        DeletedBroadcast: {
            /** Id of the broadcast. */
            id: string;
            /** Always `true`. */
            deleted: true;
        };
        /** The template that was deleted. */
        DeletedTemplate: {
            /** Id of the template. */
            id: string;
            /** Always true. */
            deleted: true;
        };
        /** One event for one webhook. */
        Delivery: {
            /** Id of the delivery. */
            id: string;
            /** Id of the event. */
            event_id: string;
            /** Type of the event. */
            type: string;
            /** Id of the message the event is about. */
            message_id: string | null;
            /** `held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver returned 410, or the webhook was deleted. `expired`: it waited for as long as events are kept. A replay also sends what failed, was skipped, cancelled or expired. */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            /** Attempts so far. */
            attempt_count: number;
            /** When the event was queued for the webhook. (date-time) */
            created_at: string;
            /** When the next attempt follows, if one does. (date-time) */
            next_attempt_at: string | null;
        };
        /** One attempt to deliver an event. */
        DeliveryAttempt: {
            /** Id of the attempt. */
            id: string;
            /** Number of the attempt, from 1. */
            number: number;
            /** What started the attempt. */
            trigger: "schedule" | "manual" | "replay" | "test";
            /** Address it was sent to. */
            url: string;
            /** When it started. (date-time) */
            started_at: string;
            /** How long it took, in milliseconds. */
            duration_ms: number;
            /** HTTP status of the response; null when there was none. */
            status_code: number | null;
            /** Why there was no response, for example `timeout`. */
            error_code: string | null;
            /** More about the error. */
            error_message: string | null;
            /** Address the receiver had. */
            remote_ip: string | null;
            /** Headers of the request. `webhook-signature` is missing if the request was unsigned, if the webhook has changed since, or if the event is no longer kept. */
            request_headers: {
                [key: string]: string;
            };
            /** Headers of the response; empty for a first attempt that succeeded. */
            response_headers: {
                [key: string]: string;
            };
            /** The first 4 KiB of the response; null for a first attempt that succeeded. */
            response_body: string | null;
            /** When the next attempt follows, if one does. (date-time) */
            next_attempt_at: string | null;
            /** True when the attempt ended after another process had taken over the delivery. Such an attempt is not counted. */
            late: boolean;
        };
        /** A delivery with its body and its attempts. */
        DeliveryWithAttempts: components["schemas"]["Delivery"] & {
            /** The exact text that is sent and signed; null when it is no longer kept. */
            request_body: string | null;
            /** Every attempt, in order. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** The response with `dry_run=true`: what would happen. Nothing was sent. */
        DryRun: {
            /** Always true. */
            dry_run: true;
            /** Whether the same request without `dry_run` would be sent now. */
            would_send: boolean;
            /** Type of the message that would be sent. */
            type: string | null;
            /** `text` or `template`, when the request has a `fallback`. */
            used: string | null;
            /** 24-hour window that opens with each message of the customer. */
            window: {
                /** Whether you may send more than templates now. */
                state: "open" | "closed" | "unknown";
                /** 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen. (date-time) */
                expires_at: string | null;
            } | null;
            /** The template that would be sent. */
            template: {
                /** Name of the template. */
                name: string;
                /** Language of the template. */
                language: string;
                /** Category of the template, which sets its price. */
                category: string;
            } | null;
            /** What the message would cost today, at most; null without the scope `costs:read`, or when it would not be sent. */
            estimate: {
                /** In which Meta bills the account. */
                currency: string | null;
                /** Null when no rate card has a rate for it. */
                amount: string | null;
                /** Of authentication templates: the rate if Meta counts your business as foreign. */
                international_amount: string | null;
                /** Category that is charged; `service` for everything but templates. */
                category: string;
                /** `list_rate`: the rate of the card, without volume discounts, and as if nothing were free. Meta may charge less. */
                basis: "list_rate";
            } | null;
            /** The file that would be sent. */
            media: components["schemas"]["MediaFile"] | null;
            /** The message as the customer would see it. */
            content: {
                [key: string]: unknown;
            } | null;
            /** What is left of the plan; null on a plan without limits. */
            quota: {
                /** Requests left in this hour. */
                hour_remaining: number;
                /** Requests left in this day. */
                day_remaining: number;
            } | null;
            /** Rate limit of your number; null when it is not known. */
            pace: {
                /** Messages per second that Meta allows the number. */
                sends_per_second: number;
                /** How long the message would wait now, in milliseconds. */
                wait_ms: number;
            } | null;
            /** Why the message would not be sent; empty if it would be. */
            problems: {
                /** Error code the send would be rejected with. */
                code: string;
                /** What is wrong, in one sentence. */
                message: string;
                /** The wrong fields. */
                details: components["schemas"]["ErrorDetail"][];
            }[];
        };
        /** The body of every error. */
        ErrorAnswer: {
            /** Always false. */
            success: false;
            /** Always null. */
            data: null;
            error: components["schemas"]["ApiError"];
        };
        /** One wrong field of the request. */
        ErrorDetail: {
            /** Dotted path with indexes, for example components[1].parameters[0].text. */
            field: string;
            /** The part of the request the field is in. */
            location: "body" | "query" | "path" | "header";
            /** What is wrong with the field. */
            code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_short" | "too_long" | "out_of_range" | "too_many_items" | "duplicate" | "invalid_phone_number" | "invalid_language" | "invalid_url" | "https_required" | "mutually_exclusive" | "one_of_required" | "invalid_secret";
            /** How to write the field, in one sentence. */
            message: string;
            /** The value that was sent; only short values that are not secret. */
            received?: string;
            /** A correct value to copy. */
            example?: unknown;
        };
        /** Words with which customers stop marketing messages from a number, or allow them again. Without words, the feature is off. */
        Keywords: {
            /** The WhatsApp number they apply to. */
            phone_number: string;
            /** A message that is one of these opts out. */
            stop_words: string[];
            /** A message that is one of these opts in. */
            start_words: string[];
        };
        /** A message counts only if it consists of one of the words. Case, surrounding spaces and punctuation do not matter. */
        KeywordsChange: {
            /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Words that opt out, in every language your customers use. An empty list turns them off. */
            stop_words?: string[] | null;
            /** Words that opt in again. An empty list turns them off. */
            start_words?: string[] | null;
        };
        /** A short link that opens a conversation with a number, and its QR code. */
        Link: {
            /** Meta's code of the link. */
            link_id: string;
            /** What stands in the customer’s input field when the link opens. */
            message: string;
            /** Address of the link. */
            url: string;
            /** Address of the QR code at Meta; it expires after some days. */
            qr_image_url: string | null;
        };
        /** A short link that no longer works. */
        LinkDeleted: {
            /** Meta's code of the link. */
            link_id: string;
            /** Always `true`. */
            deleted: true;
        };
        /** The short links of a number, as Meta has them now. */
        LinkList: {
            /** The WhatsApp number. */
            phone_number: string;
            /** As many as Meta lists at once. */
            links: components["schemas"]["Link"][];
        };
        /** A short link to create, or a new message for one. */
        LinkRequest: {
            /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** What stands in the customer’s input field, 1 to 140 characters. */
            message: string;
            /** Format of the QR code. Default: svg. */
            qr_image?: ("svg" | "png") | null;
        };
        /** A message template in one language, with its use. */
        ListedTemplate: components["schemas"]["Template"] & {
            last_7_days: components["schemas"]["TemplateUsage"];
        };
        /** A stored file, without its bytes. */
        MediaFile: {
            /** Id of the file. */
            media_id: string;
            /** Kind of file. */
            type: "image" | "document" | "audio" | "video" | "sticker";
            /** MIME type, found from the bytes; of a file from a customer, as Meta gives it. */
            mime_type: string;
            /** Name of the file, if it has one. */
            filename: string | null;
            /** Size in bytes; null while a file of a customer is being fetched. */
            size: number | null;
            /** SHA-256 of the bytes, hexadecimal; null while a file of a customer is being fetched. */
            sha256: string | null;
            /** When the gateway got the file. (date-time) */
            created_at: string;
            /** When the gateway deletes the file; null when it is kept. (date-time) */
            expires_at: string | null;
        };
        /** Where the page is in the whole list. */
        Pagination: {
            /** Entries per page, as requested. */
            limit: number;
            /** Whether another page follows; it can be empty. */
            has_more: boolean;
            /** Send it as `cursor` to get the next page; null on the last page. */
            next_cursor: string | null;
            /** Only on a page whose search ended before the page was full: entries up to this time were searched, and the next page continues there. (date-time) */
            searched_back_to?: string;
        };
        /** Recipients as JSON. */
        RecipientsUpload: {
            /** The recipients, up to 1,000. */
            recipients: {
                /** Phone number in international format, or a WhatsApp user id. */
                to: string;
                /** The values of the columns, each a text, a number, true or false. */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** Your own reference; the message repeats it. */
                client_reference?: string | null;
                /** IANA time zone of the recipient. */
                time_zone?: string | null;
            }[];
        };
        /** What a replay will deliver again. */
        Replay: {
            /** Id of the replay. */
            replay_id: string;
            /** Events that match the request. */
            matched: number;
            /** Deliveries that were queued, at most 10,000 per call. */
            queued: number;
        };
        /** Which events to deliver again. */
        ReplayRequest: {
            /** Replays events recorded at or after this time. */
            since: string;
            /** Replays events recorded before this time. Default: now. */
            until?: string | null;
            /** `failed` replays only what did not arrive, `all` everything. Default: `failed`. */
            status?: ("failed" | "all") | null;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
        };
        /** May be empty: the gateway creates the new secret. */
        RotateRequest: {
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            /** How long the old secret also signs, in seconds. Default: 86400, a day. */
            overlap_seconds?: number | null;
        };
        /** The new signing secret of the webhook. */
        RotatedSecret: {
            /** Id of the webhook, `whk_…`. */
            id: string;
            /** The new secret. It is not shown again. */
            secret: string;
            /** Until when the old secret also signs; null when there was none. (date-time) */
            previous_secret_expires_at: string | null;
            /** At most two secrets sign. True when a third, of an earlier rotation, still signed: this call ended it early. */
            earlier_secret_ended: boolean;
        };
        /** A text that agents use often. */
        SavedReply: {
            /** Id of the saved reply. */
            saved_reply_id: string;
            /** The word that is typed after `/`: letters, digits, `-` and `_`. */
            shortcut: string;
            /** The text. `{{name}}` becomes the customer's name. */
            text: string;
            /** When it was last changed. (date-time) */
            updated_at: string;
        };
        /** The deleted saved reply. */
        SavedReplyDeleted: {
            /** Id of the saved reply. */
            saved_reply_id: string;
            /** Always true. */
            deleted: boolean;
        };
        /** The saved replies of the account, by shortcut. */
        SavedReplyList: {
            /** At most 200. */
            saved_replies: components["schemas"]["SavedReply"][];
        };
        /** A saved reply. */
        SavedReplyRequest: {
            /** The word that is typed after `/`: letters, digits, `-` and `_`. */
            shortcut: string;
            /** The text. `{{name}}` becomes the customer's name. */
            text: string;
        };
        /** Contact cards. */
        SendContacts: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** One to 257 contact cards. */
            contacts: {
                /** Name of the contact. */
                name: {
                    /** Full name, as WhatsApp shows it. */
                    formatted_name: string;
                    /** First name. */
                    first_name?: string | null;
                    /** Last name. */
                    last_name?: string | null;
                    /** Middle name. */
                    middle_name?: string | null;
                    /** Title before the name, such as Dr. */
                    prefix?: string | null;
                    /** Addition after the name, such as Jr. */
                    suffix?: string | null;
                };
                /** Phone numbers. */
                phones?: {
                    /** The number, as it is shown. */
                    phone: string;
                    /** Kind of number, such as `MOBILE` or `WORK`. */
                    type?: string | null;
                    /** The number on WhatsApp, in digits with the country code: the card then offers to write to it. */
                    wa_id?: string | null;
                }[] | null;
                /** Email addresses. */
                emails?: {
                    /** The address. */
                    email: string;
                    /** Kind of address, such as `WORK`. */
                    type?: string | null;
                }[] | null;
                /** Where the contact works. */
                org?: {
                    /** Name of the company. */
                    company?: string | null;
                    /** Name of the department. */
                    department?: string | null;
                    /** Position in the company. */
                    title?: string | null;
                } | null;
                /** Websites. */
                urls?: {
                    /** The address. */
                    url: string;
                    /** Kind of website, such as `WORK`. */
                    type?: string | null;
                }[] | null;
            }[];
        };
        /** An interactive message. */
        SendInteractive: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Type of the message. Beside `body`, `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`, `cta_url` needs `button` and `url`, `flow` needs `button` and `flow`, `product` needs `catalog_id` and `product_id`, `product_list` needs `header`, `catalog_id` and `product_sections`, `catalog` may have `thumbnail_product_id`, `product_carousel` needs `catalog_id` and `product_ids`, `carousel` needs `cards`, `address` needs `address`, `order_details` needs `order`, `order_status` needs `order_status`, and `location_request`, `call_permission` and `contact_info` need nothing. `body` may be left out of `product` and `call_permission`. */
            type: "buttons" | "list" | "quick_replies" | "cta_url" | "location_request" | "flow" | "product" | "product_list" | "catalog" | "product_carousel" | "carousel" | "address" | "call_permission" | "contact_info" | "order_details" | "order_status";
            /** Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible. */
            direct_send?: {
                /** What the message is: `utility`, or `authentication` for a one-time code as a text. */
                category: "utility" | "authentication";
                /** How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status. */
                ttl_seconds?: number | null;
                /** Name of the template that Meta creates from a `utility` message. Default: chosen by Meta. */
                template_name?: string | null;
            } | null;
            /** Header above the text: a text or a file. Lists have text headers only; all requests, products, catalogs and carousels have none. */
            header?: ({
                /** A header of text. */
                type: "text";
                /** Text of the header, at most 60 characters. */
                text: string;
            } | {
                /** A header with a file. */
                type: "image" | "video" | "document";
                /** Id of an uploaded file. Give either `media_id` or `link`. */
                media_id?: string | null;
                /** Public https address of the file. */
                link?: string | null;
                /** Name of a document. */
                filename?: string | null;
            }) | null;
            /** The text of the message. Only `product` and `call_permission` can be sent without. */
            body?: string | null;
            /** Small text below the message, at most 60 characters; not below a request or a carousel. */
            footer?: string | null;
            /** One to three buttons. */
            buttons?: {
                /** Your id of the button; the reply of the customer has it. */
                id: string;
                /** Text on the button, at most 20 characters. */
                title: string;
            }[] | null;
            /** Text on the button that opens the list, the page or the Flow: at most 20 characters, for a Flow 30 without emoji. */
            button?: string | null;
            /** Address of the page that the button opens. */
            url?: string | null;
            /** The Flow that the button opens. */
            flow?: {
                /** Id of the Flow at Meta. Give either `id` or `name`. */
                id?: string | null;
                /** Name of the Flow. */
                name?: string | null;
                /** Your own id for this use of the Flow; the customer's input has it as `flow_token`. */
                token?: string | null;
                /** `draft` tries out a Flow that is not published. Default: `published`. */
                mode?: ("published" | "draft") | null;
                /** `navigate` opens a screen, `data_exchange` asks the endpoint of the Flow for the first one. Default: `navigate`. */
                action?: ("navigate" | "data_exchange") | null;
                /** Id of the screen to open. Default: the first one of the Flow. */
                screen?: string | null;
                /** Values for the screen, by the names that the Flow gave them. */
                screen_data?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            /** Sections of the list. */
            sections?: {
                /** Title of the section; needed when there are several. */
                title?: string | null;
                /** Rows of the section; a list has at most ten in all. */
                rows: {
                    /** Your id of the row; the reply of the customer has it. */
                    id: string;
                    /** Title of the row, at most 24 characters. */
                    title: string;
                    /** Second line of the row, at most 72 characters. */
                    description?: string | null;
                }[];
            }[] | null;
            /** Id of the catalog that is connected to the WhatsApp Business account. */
            catalog_id?: string | null;
            /** Id of the product in the catalog: its SKU, or content id. */
            product_id?: string | null;
            /** Two to ten products of the catalog, each on a card of its own. */
            product_ids?: string[] | null;
            /** One to ten sections of products. */
            product_sections?: {
                /** Title of the section, at most 24 characters; needed when there are several. */
                title?: string | null;
                /** Ids of the products; a list has at most 30 in all. */
                product_ids: string[];
            }[] | null;
            /** Id of the product whose picture stands for the catalog. */
            thumbnail_product_id?: string | null;
            /** Two to ten cards with the same structure. */
            cards?: {
                /** File at the top of the card; all cards have the same type. */
                header: {
                    /** Type of the file. */
                    type: "image" | "video";
                    /** Id of an uploaded file. Give either `media_id` or `link`. */
                    media_id?: string | null;
                    /** Public https address of the file. */
                    link?: string | null;
                };
                /** Text of the card, at most 160 characters and two line breaks. */
                body?: string | null;
                /** Text on the button that opens `url`, at most 20 characters. */
                button?: string | null;
                /** Address of the page that the button opens. */
                url?: string | null;
                /** Instead of `button` and `url`: one to three reply buttons, the same number on every card. */
                buttons?: {
                    /** Your id of the button; the reply of the customer has it. */
                    id: string;
                    /** Text on the button, at most 20 characters. */
                    title: string;
                }[] | null;
            }[] | null;
            /** The form for an address; for businesses and customers in India only. */
            address?: {
                /** Country of the address: India. */
                country: "IN";
                /** Values that the form begins with. */
                values?: {
                    /** Value of `name`. */
                    name?: string | null;
                    /** Value of `phone_number`. */
                    phone_number?: string | null;
                    /** Value of `in_pin_code`. */
                    in_pin_code?: string | null;
                    /** Value of `house_number`. */
                    house_number?: string | null;
                    /** Value of `floor_number`. */
                    floor_number?: string | null;
                    /** Value of `tower_number`. */
                    tower_number?: string | null;
                    /** Value of `building_name`. */
                    building_name?: string | null;
                    /** Value of `address`. */
                    address?: string | null;
                    /** Value of `landmark_area`. */
                    landmark_area?: string | null;
                    /** Value of `city`. */
                    city?: string | null;
                    /** Value of `state`. */
                    state?: string | null;
                } | null;
                /** Addresses that you know of this customer, to choose from. */
                saved_addresses?: {
                    /** Your id of the address; the reply has it as `saved_address_id`. */
                    id: string;
                    /** The address. A pin code has at most six characters. */
                    values: {
                        /** Value of `name`. */
                        name?: string | null;
                        /** Value of `phone_number`. */
                        phone_number?: string | null;
                        /** Value of `in_pin_code`. */
                        in_pin_code?: string | null;
                        /** Value of `house_number`. */
                        house_number?: string | null;
                        /** Value of `floor_number`. */
                        floor_number?: string | null;
                        /** Value of `tower_number`. */
                        tower_number?: string | null;
                        /** Value of `building_name`. */
                        building_name?: string | null;
                        /** Value of `address`. */
                        address?: string | null;
                        /** Value of `landmark_area`. */
                        landmark_area?: string | null;
                        /** Value of `city`. */
                        city?: string | null;
                        /** Value of `state`. */
                        state?: string | null;
                    };
                }[] | null;
                /** What is wrong with `values`; WhatsApp shows it at the field. */
                validation_errors?: {
                    /** What is wrong with `name`. */
                    name?: string | null;
                    /** What is wrong with `phone_number`. */
                    phone_number?: string | null;
                    /** What is wrong with `in_pin_code`. */
                    in_pin_code?: string | null;
                    /** What is wrong with `house_number`. */
                    house_number?: string | null;
                    /** What is wrong with `floor_number`. */
                    floor_number?: string | null;
                    /** What is wrong with `tower_number`. */
                    tower_number?: string | null;
                    /** What is wrong with `building_name`. */
                    building_name?: string | null;
                    /** What is wrong with `address`. */
                    address?: string | null;
                    /** What is wrong with `landmark_area`. */
                    landmark_area?: string | null;
                    /** What is wrong with `city`. */
                    city?: string | null;
                    /** What is wrong with `state`. */
                    state?: string | null;
                } | null;
            } | null;
            /** The order to be paid, for customers in India and Brazil. Subtotal and total are computed from it. Not yet confirmed on a real account. */
            order?: {
                /** Your id of the order; `payment.updated` has it. 1 to 35 letters, digits, `_`, `-` and `.`. */
                reference_id: string;
                /** What is sold. */
                goods: "digital" | "physical";
                /** Currency of all amounts. */
                currency: "INR" | "BRL";
                /** What the customer pays for. */
                items: {
                    /** What it is. */
                    name: string;
                    /** How many. */
                    quantity: number;
                    /** Price of one, in hundredths of the currency. */
                    amount: number;
                    /** Id of the product in your catalog. */
                    product_id?: string | null;
                }[];
                /** Tax, in hundredths of the currency. */
                tax: number;
                /** Price of the delivery, in hundredths of the currency. */
                shipping?: number | null;
                /** What is taken off, in hundredths of the currency. */
                discount?: number | null;
                /** Ways to pay, passed to Meta as they are: each has a `type`, such as `payment_gateway` (India) or `pix_dynamic_code`, `payment_link`, `boleto`, `offsite_card_pay` (Brazil), and a member of that name. */
                payment_settings: {
                    [key: string]: unknown;
                }[];
            } | null;
            /** The status of an order that you sent with `order_details`. */
            order_status?: {
                /** The id that you gave the order. 1 to 35 letters, digits, `_`, `-` and `.`. */
                reference_id: string;
                /** Its status. A paid order cannot be canceled. */
                status: "pending" | "processing" | "partially_shipped" | "shipped" | "completed" | "canceled";
                /** A sentence about it, at most 120 characters. */
                description?: string | null;
                /** When it was paid: for Brazil, where Meta learns of payments from you alone. */
                paid_at?: string | null;
            } | null;
            /** One to ten different texts of at most 20 characters. Up to three become buttons, more become a list. */
            replies?: string[] | null;
        };
        /** A place on the map. */
        SendLocation: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Latitude in degrees, -90 to 90. */
            latitude: number;
            /** Longitude in degrees, -180 to 180. */
            longitude: number;
            /** Name of the place. */
            name?: string | null;
            /** Address of the place; WhatsApp shows it below the name. */
            address?: string | null;
        };
        /** An image, document, audio or video message. */
        SendMedia: components["schemas"]["SendSticker"] & {
            /** Kind of file. */
            type: "image" | "document" | "audio" | "video";
            /** Text below an image, document or video; audio has none. */
            caption?: string | null;
            /** Name the customer sees; for documents only. */
            filename?: string | null;
            /** Send audio as a voice note, which WhatsApp shows as recorded; OGG with Opus only. Default: false. */
            voice?: boolean | null;
        };
        /** An emoji on a message. A new one replaces your earlier one. */
        SendReaction: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: the one of the message. Default: that number. */
            from?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Id of the message to react to: one of this customer, at most 30 days old. */
            message_id: string;
            /** The emoji: exactly one. An empty text removes your reaction. */
            emoji: string;
        };
        /** A sticker: a WebP file of at most 100 KB, animated 500 KB. */
        SendSticker: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Id of an uploaded file. Give either `media_id` or `link`. */
            media_id?: string | null;
            /** Public https address of the file, which the gateway fetches. */
            link?: string | null;
        };
        /** A template message. */
        SendTemplate: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Name of the template. */
            template: string;
            /** Language code of the template. */
            language: string;
            /** Values for the template's variables: one entry for each part of the template that has some, and one for each button. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
        };
        /** A text message. */
        SendText: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** The text, 1 to 4096 characters. */
            message: string;
            /** Whether WhatsApp shows a preview of the first link in the text. Default: false. */
            preview_url?: boolean | null;
            /** Template to send instead when the 24-hour window is closed, according to Postern or to Meta's response; the response then has `used`. */
            fallback?: {
                /** Name of the template. */
                template: string;
                /** Language code of the template. */
                language: string;
                /** Values for the template's variables: one entry for each part of the template that has some, and one for each button. */
                components?: components["schemas"]["TemplateComponentValues"][] | null;
            } | null;
            /** Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible. */
            direct_send?: {
                /** What the message is: `utility`, or `authentication` for a one-time code as a text. */
                category: "utility" | "authentication";
                /** How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status. */
                ttl_seconds?: number | null;
                /** Name of the template that Meta creates from a `utility` message. Default: chosen by Meta. */
                template_name?: string | null;
            } | null;
        };
        /** The message that was sent. */
        SentOther: {
            /** Id of the message at WhatsApp. */
            message_id: string;
            /** Phone number of the customer; null when the customer was erased meanwhile. */
            to: string | null;
            /** Type of the message, as requested. */
            type: string;
            /** `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report the outcome. */
            status: "sent" | "waiting";
            /** When WhatsApp accepted the message, or the gateway stored it to wait. (date-time) */
            timestamp: string;
            /** Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /** For a waiting message: when it will be sent. (date-time) */
            send_at?: string;
            /** For a waiting message: it is not sent after this time. (date-time) */
            expires_at?: string;
        };
        /** The template message that was sent. */
        SentTemplate: {
            /** Id of the message at WhatsApp. */
            message_id: string;
            /** Phone number of the customer; null when the customer was erased meanwhile. */
            to: string | null;
            /** Name of the template. */
            template: string;
            /** `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report the outcome. */
            status: "sent" | "waiting";
            /** When WhatsApp accepted the message, or the gateway stored it to wait. (date-time) */
            timestamp: string;
            /** Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /** For a waiting message: when it will be sent. (date-time) */
            send_at?: string;
            /** For a waiting message: it is not sent after this time. (date-time) */
            expires_at?: string;
        };
        /** The text message that was sent. */
        SentText: {
            /** Id of the message at WhatsApp. */
            message_id: string;
            /** `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report the outcome. */
            status: "sent" | "waiting";
            /** Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /** For a waiting message: when it will be sent. (date-time) */
            send_at?: string;
            /** For a waiting message: it is not sent after this time. (date-time) */
            expires_at?: string;
            /** What was sent; only when the request had a `fallback`. */
            used?: "text" | "template";
        };
        /** How long customers waited for a reply from a person. */
        ServiceTimes: {
            /** Start of the range. (date-time) */
            from: string;
            /** End of the range. (date-time) */
            to: string;
            /** Of the whole range. */
            totals: {
                /** Waits that a person ended with a reply. */
                replies: number;
                /** Half of the waits were shorter. Estimated from counts in 48 fixed buckets. */
                median_wait_seconds: number | null;
                /** From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** Replies within an hour. */
                within_hour: number;
                /** Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** Customers who have been waiting for more than 24 hours. */
                missed: number;
                /** Share of `within_window` in all replies and misses. */
                within_window_percent: number | null;
                /** Customers who are waiting now. */
                waiting: number;
            };
            /** By the UTC day on which the wait began; days without waits are omitted. */
            days: {
                /** Start of the day. (date-time) */
                date: string;
                /** Waits that a person ended with a reply. */
                replies: number;
                /** Half of the waits were shorter. Estimated from counts in 48 fixed buckets. */
                median_wait_seconds: number | null;
                /** From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** Replies within an hour. */
                within_hour: number;
                /** Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** Customers who have been waiting for more than 24 hours. */
                missed: number;
                /** Share of `within_window` in all replies and misses. */
                within_window_percent: number | null;
                /** Customers who wait since this day. */
                waiting: number;
            }[];
            /** By who replied, the most replies first. */
            agents: {
                /** Id of the person. */
                user_id: string;
                /** Null for a former member. */
                name: string | null;
                /** Waits that a person ended with a reply. */
                replies: number;
                /** Half of the waits were shorter. Estimated from counts in 48 fixed buckets. */
                median_wait_seconds: number | null;
                /** From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** Replies within an hour. */
                within_hour: number;
                /** Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** Customers who have been waiting for more than 24 hours. */
                missed: number;
                /** Share of `within_window` in all replies and misses. */
                within_window_percent: number | null;
            }[];
        };
        /** A message template in one language. */
        Template: {
            /** Id of the template. */
            id: string;
            /** Name of the template. */
            name: string;
            /** Language code. */
            language: string;
            /** Category, which sets the price of a message. */
            category: "marketing" | "utility" | "authentication";
            /** Category that Meta has announced for the template; null when there is none. */
            next_category: ("marketing" | "utility" | "authentication") | null;
            /** Only an `approved` template can be sent; it stays approved while an edit of it is under review. */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            /** Why the template was rejected, paused or disabled; null otherwise. */
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            /** Quality rating by Meta, if there is one. */
            quality: ("high" | "medium" | "low") | null;
            /** Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`). */
            source: "catalog" | "api" | "platform";
            /** Where the template exists: in the `sandbox` or at Meta (`cloud`). */
            channel: ("sandbox" | "cloud") | null;
            /** Whether Meta knows its variables by number or by name. A send can give the values in order in both cases. */
            parameter_format: "positional" | "named";
            /** The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /** How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default. */
            message_send_ttl_seconds: number | null;
            /** The edit of an approved template that Meta is reviewing; null when there is none. Sends use the approved content until the review is over. */
            pending_edit: components["schemas"]["TemplatePendingEdit"] | null;
            /** Version of the content; each change of the content adds 1. */
            version: number;
            /** Id of the template at Meta. */
            channel_template_id: string | null;
            /** When the gateway first recorded the template. (date-time) */
            created_at: string;
            /** When the template last changed. (date-time) */
            updated_at: string;
            /** When the template was last submitted for review. (date-time) */
            submitted_at: string | null;
            /** When Meta last decided about the template. (date-time) */
            reviewed_at: string | null;
            /** When the template was last sent. (date-time) */
            last_used_at: string | null;
        };
        /** What a Flow starts with, or the products that a button shows. */
        TemplateActionParameter: {
            /** In lower case or in capital letters. */
            type: "action" | "ACTION";
            /** `flow` takes the first two fields, `catalog` the third, `mpm` the last two. */
            action: {
                /** Your token for this run of the Flow. */
                flow_token?: string | null;
                /** The data of the first screen of the Flow. */
                flow_action_data?: {
                    [key: string]: unknown;
                } | null;
                /** The product whose picture the message shows. */
                thumbnail_product_retailer_id?: string | null;
                /** The products by section. */
                sections?: {
                    /** Title of the section. */
                    title: string;
                    /** The products, at most 30 in all sections. */
                    product_items: {
                        /** Id of the product, as your business named it in the catalog. */
                        product_retailer_id: string;
                    }[];
                }[] | null;
            };
        };
        /** The values of the body. */
        TemplateBodyValues: {
            /** In lower case or in capital letters. */
            type: "body" | "BODY";
            /** The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateCurrencyParameter"] | components["schemas"]["TemplateDateTimeParameter"])[] | null;
        };
        /** The value of one button. */
        TemplateButtonValues: {
            /** In lower case or in capital letters. */
            type: "button" | "BUTTON";
            /** Kind of the button; `url` also for a button that copies a one-time code. In lower case or in capital letters. */
            sub_type: "url" | "URL" | "quick_reply" | "QUICK_REPLY" | "copy_code" | "COPY_CODE" | "flow" | "FLOW" | "catalog" | "CATALOG" | "mpm" | "MPM";
            /** Position of the button, as a number or as digits; the first is 0. */
            index: number | string;
            /** The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplatePayloadParameter"] | components["schemas"]["TemplateCouponCodeParameter"] | components["schemas"]["TemplateActionParameter"])[] | null;
        };
        /** The values of the cards of a carousel. */
        TemplateCarouselValues: {
            /** In lower case or in capital letters. */
            type: "carousel" | "CAROUSEL";
            /** The cards. */
            cards: {
                /** Position of the card; the first is 0. Default: its place in the list. */
                card_index?: number | null;
                /** The values of this card. */
                components?: (components["schemas"]["TemplateHeaderValues"] | components["schemas"]["TemplateBodyValues"] | components["schemas"]["TemplateButtonValues"])[];
            }[];
        };
        /** The fields to change. Fields that are left out stay as they are. */
        TemplateChanges: {
            /** `marketing`, `utility` or `authentication`; in either case. Default: `utility`. */
            category?: string | null;
            /** Text of the body; a short form for one component of type `body`. */
            body?: string | null;
            /** The parts of the template. */
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** How long Meta tries to deliver a message of it: 30 to 900 seconds for `authentication`, 30 to 43200 for `utility`, -1 for 30 days; 43200 to 2592000 for `marketing`. Default: 10 minutes for `authentication`, otherwise 30 days. */
            message_send_ttl_seconds?: number | null;
            /** False keeps a draft as a draft. Default: true. */
            submit?: boolean | null;
            /** The `version` you are editing: if it differs, nothing is changed. */
            if_version?: number | null;
        };
        /** One part of the template. Variables are numbered, {{1}} to {{n}}, whatever names they were written with. */
        TemplateComponent: {
            /** Which part of the template it is. */
            type: "header" | "body" | "footer" | "buttons" | "limited_time_offer" | "carousel" | "other";
        } & {
            [key: string]: unknown;
        };
        /** One part of a template. */
        TemplateComponentDraft: {
            /** `header`, `body`, `footer`, `buttons`, `limited_time_offer` or `carousel`; in either case. */
            type: string;
            /** Format of a header. Default: text. */
            format?: string | null;
            /** Text of a header, body, footer or offer; header and body with {{1}}, {{2}} … or {{name}} for variables. */
            text?: string | null;
            /** A name and an example for each variable, in order. */
            variables?: (string | {
                /** Name of the variable, for your own use or for {{name}} in the text. */
                name?: string | null;
                /** Another name for `name`, as in Meta's form. */
                param_name?: string | null;
                /** Example value, which Meta needs for the review. */
                example?: string | null;
            })[] | null;
            /** Example of a media header: an object with `link`, `media_id` or `handle`. For texts Meta's own form. */
            example?: unknown;
            /** On a sandbox channel: a send may leave the header out. */
            optional?: boolean | null;
            /** In the body of an authentication template: adds the advice not to share the code. */
            add_security_recommendation?: boolean | null;
            /** In the footer of an authentication template: how long the code is valid. */
            code_expiration_minutes?: number | null;
            /** In a `limited_time_offer`: whether the message counts down to the end of the offer. Default: false. */
            has_expiration?: boolean | null;
            /** Meta's form of a `limited_time_offer`: an object with `text` and `has_expiration`. */
            limited_time_offer?: unknown;
            /** The cards of a `carousel`, 2 to 10. */
            cards?: {
                /** The parts of the card, as those of a template: `header`, `body` and `buttons`. */
                components: unknown[];
            }[] | null;
            /** The buttons of a component of type `buttons`. */
            buttons?: {
                /** `quick_reply`, `url`, `phone_number`, `copy_code` for a coupon, `flow`, `catalog`, `mpm` for several products, `spm` for the one of the header, `request_contact_info` to ask for the phone number, or `otp` for a one-time code; in either case. */
                type: string;
                /** Text on the button, at most 25 characters. Meta writes that of `copy_code` and `request_contact_info`; those of products have a default. */
                text?: string | null;
                /** Address of a `url` button. It may end in one variable, {{1}}. */
                url?: string | null;
                /** Number of a `phone_number` button, in international format. */
                phone_number?: string | null;
                /** Example value for the variable of the url, or example of a coupon code. */
                example?: unknown;
                /** Id at Meta of the published Flow that a `flow` button opens. */
                flow_id?: string | null;
                /** `navigate` opens a screen, `data_exchange` asks your endpoint. Default: `navigate`. */
                flow_action?: string | null;
                /** First screen of a Flow that is opened with `navigate`. */
                navigate_screen?: string | null;
                /** How an `otp` button hands over the code: `copy_code`, or to your Android app with one tap (`one_tap`) or none (`zero_tap`). Default: `copy_code`. */
                otp_type?: string | null;
                /** Text of the button that fills the code in, at most 25 characters. Meta has one in each language. */
                autofill_text?: string | null;
                /** The apps that may get the code, for `one_tap` and `zero_tap`. */
                supported_apps?: {
                    /** Package name of the Android app. */
                    package_name: string;
                    /** Hash of the key it is signed with, 11 characters. */
                    signature_hash: string;
                }[] | null;
                /** Must be true for `zero_tap`: you accept the terms of WhatsApp, and your customers expect the code to be filled in. */
                zero_tap_terms_accepted?: boolean | null;
                /** On a sandbox channel: a send may leave the value out. */
                optional?: boolean | null;
            }[] | null;
        };
        /** The values of one part of a template. */
        TemplateComponentValues: components["schemas"]["TemplateHeaderValues"] | components["schemas"]["TemplateBodyValues"] | components["schemas"]["TemplateButtonValues"] | components["schemas"]["TemplateLimitedTimeOfferValues"] | components["schemas"]["TemplateCarouselValues"];
        /** The code that a button copies. */
        TemplateCouponCodeParameter: {
            /** In lower case or in capital letters. */
            type: "coupon_code" | "COUPON_CODE";
            /** The code. */
            coupon_code: string;
        };
        /** An amount of money, written in the language of the template. */
        TemplateCurrencyParameter: {
            /** In lower case or in capital letters. */
            type: "currency" | "CURRENCY";
            /** Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /** The amount. */
            currency: {
                /** ISO 4217 code of the currency, in capital letters. */
                code: string;
                /** The amount times 1000: 42.50 is 42500. It may be negative, such as for a refund. */
                amount_1000: number;
                /** The text to show. Default: written by Postern from code and amount. */
                fallback_value?: string | null;
            };
        };
        /** A date or a time, as a text. */
        TemplateDateTimeParameter: {
            /** In lower case or in capital letters. */
            type: "date_time" | "DATE_TIME";
            /** Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /** WhatsApp shows `fallback_value`. */
            date_time: {
                /** The text to show. */
                fallback_value: string;
                /** Ignored, as Meta does. */
                day_of_week?: unknown;
                /** Ignored, as Meta does. */
                day_of_month?: unknown;
                /** Ignored, as Meta does. */
                year?: unknown;
                /** Ignored, as Meta does. */
                month?: unknown;
                /** Ignored, as Meta does. */
                hour?: unknown;
                /** Ignored, as Meta does. */
                minute?: unknown;
                /** Ignored, as Meta does. */
                calendar?: unknown;
                /** Ignored, as Meta does. */
                timestamp?: unknown;
            };
        };
        /** A document. */
        TemplateDocumentParameter: {
            /** In lower case or in capital letters. */
            type: "document" | "DOCUMENT";
            /** The file. */
            document: {
                /** http or https address of the file. Give either `link` or `media_id`. */
                link?: string | null;
                /** Id of an uploaded file. */
                media_id?: string | null;
                /** Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
                /** Name the customer sees. */
                filename?: string | null;
            };
        };
        /** A new template. */
        TemplateDraft: {
            /** Name of the template: lower-case letters, digits and underscores, at most 512 characters. */
            name: string;
            /** Language code of the template. */
            language?: string | null;
            /** Whether Meta knows the variables by number or by name; `named` needs {{name}} for each of them. In either case. Default: `positional`. */
            parameter_format?: string | null;
            /** `marketing`, `utility` or `authentication`; in either case. Default: `utility`. */
            category?: string | null;
            /** Text of the body; a short form for one component of type `body`. */
            body?: string | null;
            /** The parts of the template. */
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** How long Meta tries to deliver a message of it: 30 to 900 seconds for `authentication`, 30 to 43200 for `utility`, -1 for 30 days; 43200 to 2592000 for `marketing`. Default: 10 minutes for `authentication`, otherwise 30 days. */
            message_send_ttl_seconds?: number | null;
            /** False keeps the template as a draft. Default: true, which submits it to Meta for review. */
            submit?: boolean | null;
        };
        /** The values of the header: of its text, or its file, place or product. */
        TemplateHeaderValues: {
            /** In lower case or in capital letters. */
            type: "header" | "HEADER";
            /** The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateImageParameter"] | components["schemas"]["TemplateVideoParameter"] | components["schemas"]["TemplateDocumentParameter"] | components["schemas"]["TemplateLocationParameter"] | components["schemas"]["TemplateProductParameter"])[] | null;
        };
        /** An image. */
        TemplateImageParameter: {
            /** In lower case or in capital letters. */
            type: "image" | "IMAGE";
            /** The file. */
            image: {
                /** http or https address of the file. Give either `link` or `media_id`. */
                link?: string | null;
                /** Id of an uploaded file. */
                media_id?: string | null;
                /** Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
            };
        };
        /** The end of a limited-time offer. */
        TemplateLimitedTimeOfferParameter: {
            /** In lower case or in capital letters. */
            type: "limited_time_offer" | "LIMITED_TIME_OFFER";
            /** The end. */
            limited_time_offer: {
                /** Milliseconds since 1970. */
                expiration_time_ms: number;
            };
        };
        /** The end of the offer, where the message counts down to it. */
        TemplateLimitedTimeOfferValues: {
            /** In lower case or in capital letters. */
            type: "limited_time_offer" | "LIMITED_TIME_OFFER";
            /** The values, in the order of the template. */
            parameters?: components["schemas"]["TemplateLimitedTimeOfferParameter"][] | null;
        };
        /** A page of templates. */
        TemplateList: {
            /** The templates of this page. */
            templates: components["schemas"]["ListedTemplate"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** A place on a map. */
        TemplateLocationParameter: {
            /** In lower case or in capital letters. */
            type: "location" | "LOCATION";
            /** The place. */
            location: {
                /** Degrees north of the equator, as a number or as digits. */
                latitude: number | string;
                /** Degrees east of Greenwich, as a number or as digits. */
                longitude: number | string;
                /** Name of the place. */
                name?: string | null;
                /** Address of the place, shown below its name. */
                address?: string | null;
            };
        };
        /** The payload of a quick reply. You get it when the customer taps it. */
        TemplatePayloadParameter: {
            /** In lower case or in capital letters. */
            type: "payload" | "PAYLOAD";
            /** The payload. */
            payload: string;
        };
        /** New content of an approved template, under review. */
        TemplatePendingEdit: {
            /** Whether Meta knows its variables by number or by name. A send can give the values in order in both cases. */
            parameter_format: "positional" | "named";
            /** The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /** How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default. */
            message_send_ttl_seconds: number | null;
            /** When it was submitted for review. (date-time) */
            submitted_at: string;
        };
        /** The template as the customer would see it. */
        TemplatePreview: {
            header: components["schemas"]["TemplatePreviewHeader"];
            /** The body with values. */
            text: string;
            /** The footer; null when the template has none. */
            footer: string | null;
            /** The limited-time offer of a template that has one. */
            offer?: {
                /** What is offered. */
                text: string;
                /** When the offer ends, if the message says so. (date-time) */
                expires_at: string | null;
            };
            /** The cards of a carousel, in order. */
            cards?: {
                header: components["schemas"]["TemplatePreviewHeader"];
                /** The body of the card with values; null when it has none. */
                text: string | null;
                /** The buttons, in order. */
                buttons: components["schemas"]["TemplatePreviewButton"][];
            }[];
            /** The buttons, in order. */
            buttons: components["schemas"]["TemplatePreviewButton"][];
        };
        /** A button as the customer would see it. */
        TemplatePreviewButton: {
            /** Kind of button. */
            type: string;
            /** Text on the button. */
            text: string;
            /** Address, phone number, coupon code or thumbnail product of the button, with values. */
            value: string | null;
            /** The products behind a button of type `mpm`. */
            sections?: {
                /** Title of the section. */
                title: string;
                /** The products of the section. */
                product_items: {
                    /** Your id of the product. */
                    product_retailer_id: string;
                }[];
            }[];
        };
        /** The header; null when the template has none. */
        TemplatePreviewHeader: {
            /** A header of text. */
            kind: "text";
            /** The text, with values. */
            text: string;
        } | {
            /** A header with a file. */
            kind: "image" | "video" | "document";
            /** Address of the file. */
            link?: string;
            /** Id of the uploaded file. */
            media_id?: string;
            /** Name of a document. */
            filename?: string;
        } | {
            /** A header with a map. */
            kind: "location";
            /** Degrees north of the equator. */
            latitude: number;
            /** Degrees east of Greenwich. */
            longitude: number;
            /** Name of the place. */
            name?: string;
            /** Address of the place. */
            address?: string;
        } | {
            /** A header with a product of the catalog. */
            kind: "product";
            /** Your id of the product. */
            product_retailer_id: string;
            /** Id of the catalog at Meta. */
            catalog_id: string;
        } | null;
        /** A product of a catalog. */
        TemplateProductParameter: {
            /** In lower case or in capital letters. */
            type: "product" | "PRODUCT";
            /** The product. */
            product: {
                /** Id of the product, as your business named it in the catalog. */
                product_retailer_id: string;
                /** Id of the catalog. */
                catalog_id: string;
            };
        };
        /** Why the template was rejected, paused or disabled. */
        TemplateStatusReason: {
            /** Reason as a code, for example `INVALID_FORMAT`. */
            code: string;
            /** Reason in one sentence. */
            message: string;
            /** What Meta recommends. */
            recommendation: string | null;
            /** When a pause ends. (date-time) */
            until: string | null;
        };
        /** A text. */
        TemplateTextParameter: {
            /** In lower case or in capital letters. */
            type: "text" | "TEXT";
            /** Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /** The text. It has no line break, no tab, and at most 4 spaces in a row. */
            text: string;
        };
        /** Messages of this template in this language, today and the six days before, in UTC. */
        TemplateUsage: {
            /** Messages that WhatsApp accepted. */
            sent: number;
            /** Messages that reached the phone of the customer. */
            delivered: number;
            /** Messages the customer opened. */
            read: number;
            /** Messages that will not arrive. */
            failed: number;
        };
        /** A variable of a template. */
        TemplateVariable: {
            /** The part the variable is in. */
            component: "header" | "body";
            /** Number of the variable in its part, from 1. */
            position: number;
            /** Name of the variable, if it has one. */
            name: string | null;
            /** Example value, if there is one. */
            example: string | null;
        };
        /** A video. */
        TemplateVideoParameter: {
            /** In lower case or in capital letters. */
            type: "video" | "VIDEO";
            /** The file. */
            video: {
                /** http or https address of the file. Give either `link` or `media_id`. */
                link?: string | null;
                /** Id of an uploaded file. */
                media_id?: string | null;
                /** Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
            };
        };
        /** A message template with its use and its history. */
        TemplateWithHistory: components["schemas"]["ListedTemplate"] & {
            /** The last 50 changes, newest first. */
            history: {
                /** What changed. */
                kind: "created" | "content" | "status" | "category" | "quality";
                /** Where the change came from: this `api`, the built-in `catalog`, a `callback` of Meta, or a `sync` with Meta. */
                cause: "api" | "catalog" | "callback" | "sync";
                /** Status after the change. */
                status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
                /** Version of the content after the change. */
                version: number;
                /** The fields that changed. */
                changes: {
                    /** Name of the field. */
                    field: string;
                    /** Value before the change. */
                    from: unknown;
                    /** Value after the change. */
                    to: unknown;
                }[];
                /** When it changed. (date-time) */
                at: string;
            }[];
        };
        /** The customer who was unblocked. */
        UnblockedCustomer: {
            /** The WhatsApp number whose block list this is. */
            phone_number: string;
            /** Phone number with + and country code, or the user id of a customer who hides the number. */
            customer: string;
            /** Always true, also for a customer who was not blocked. */
            unblocked: true;
        };
        /** The result of an upload. */
        UploadResult: {
            /** Id of the upload. */
            upload_id: string | null;
            /** Lines with recipients. */
            rows: number;
            /** Recipients that were added. */
            accepted: number;
            /** Lines that were rejected. */
            invalid: number;
            /** Lines with a recipient who is already in the list. */
            duplicates: number;
            /** The columns of the upload. */
            columns: string[];
            /** Recipients by country, largest first. */
            countries: {
                /** ISO 3166 code of the country; null if the number does not show it. */
                country: string | null;
                /** Recipients. */
                count: number;
            }[];
            /** The first 100 invalid lines. */
            problems: {
                /** Line of the file, or place in the list. */
                line: number;
                /** The column that is wrong. */
                column: string | null;
                /** What is wrong. */
                code: string;
                /** How to write it. */
                message: string;
            }[];
            /** Invalid lines. */
            problems_total: number;
        };
        /** A volume tier that Meta reports for a month. Amounts still use the list rate. */
        VolumeTier: {
            /** WhatsApp Business account. */
            waba_id: string;
            /** Month it applies to, in the time zone of the account. */
            month: string;
            /** What Meta charges the messages as. */
            category: string;
            /** Market, as Meta names it. */
            region: string;
            /** The first and last charged message of the month, in Meta's format. */
            tier: string;
            /** When the tier was reached. (date-time) */
            since: string;
        };
        /** A webhook with its state. */
        Webhook: {
            /** Id of the webhook, `whk_…`. */
            id: string;
            /** Address of the receiver. */
            url: string;
            /** Event types the webhook gets. */
            events: string[];
            /** Whether events are delivered. */
            active: boolean;
            /** Whether payloads have no texts and names, and only the first and last digits of numbers: true when a caller without `messages:read` chose the address. */
            masked: boolean;
            /** Whether deliveries are signed: true when the webhook has a secret. */
            signed: boolean;
            /** Your note about the webhook. */
            description: string | null;
            /** Deliveries sent at the same time. */
            max_in_flight: number;
            /** Deliveries started per second; null without a limit. */
            max_per_second: number | null;
            /** When the webhook was created. (date-time) */
            created_at: string;
            /** When its settings last changed. (date-time) */
            updated_at: string;
            /** When the latest attempt started, of any event. (date-time) */
            last_triggered: string | null;
            /** Whether the receiver has proved that the address is yours. */
            verification: {
                /** Result of the latest check. */
                status: "pending" | "verified" | "failed";
                /** When the receiver last passed the check. (date-time) */
                verified_at: string | null;
                /** Why the latest check failed. */
                last_error: string | null;
            };
            /** When the gateway disabled the webhook. (date-time) */
            disabled_at: string | null;
            /** `failing` after three days without success, `gone` after a response with status 410. */
            disabled_reason: string | null;
            /** Numbers of the webhook since it was created. */
            stats: {
                /** Events with at least one attempt. */
                total_sent: number;
                /** Events whose latest attempt failed. */
                total_failed: number;
                /** Percent of events delivered, with two decimals; 100 before the first. */
                success_rate: number;
            };
        };
        /** The fields to change. Fields that are left out stay as they are. `null` clears `secret`, `description` and `max_per_second`; for other fields it is the same as leaving them out. A request that changes nothing is rejected. */
        WebhookChanges: {
            /** Public https address of the receiver. */
            url?: string | null;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            /** Whether events are delivered. True also enables a webhook that was disabled. */
            active?: boolean | null;
            /** Your note about the webhook. */
            description?: string | null;
            /** Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others. */
            max_in_flight?: number | null;
            /** Deliveries started per second at most. Default: no limit. */
            max_per_second?: number | null;
        };
        /** A new webhook. */
        WebhookDraft: {
            /** Public https address of the receiver. */
            url: string;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events: unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[];
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            /** Whether events are delivered. Default: true. */
            active?: boolean | null;
            /** Your note about the webhook. */
            description?: string | null;
            /** Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others. */
            max_in_flight?: number | null;
            /** Deliveries started per second at most. Default: no limit. */
            max_per_second?: number | null;
        };
        /** Response of the receiver to the sample. */
        WebhookTest: {
            /** Type of the sample event. */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /** Id of the test in the log of the gateway. Tests are not stored, so no other call returns it. */
            delivery_id: string;
            /** Whether the receiver responded with status 2xx. */
            delivered: boolean;
            attempt: components["schemas"]["DeliveryAttempt"];
        };
        /** The sample to send. */
        WebhookTestRequest: {
            /** Type of the sample event. */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccount: {
        responses: { 200: Answer<components["schemas"]["ConsoleAccountSettings"]>; };
    };
    renameAccount: {
        requestBody: Json<components["schemas"]["ConsoleAccountName"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleAccountSettings"]>; };
    };
    requireTwoFactor: {
        requestBody: Json<components["schemas"]["ConsoleTwoFactorRule"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** Start of the range, inclusive. Default: the start of the day, 7 days ago. */
                from?: string;
                /** End of the range, exclusive. Default: now. A bare date is the start of that day in `timezone`. */
                to?: string;
                /** Length of one point. A range may have 31 days by hour, 366 days by day, 36 months by month. */
                granularity?: "hour" | "day" | "month";
                /** IANA name of the time zone of days and months. Default: UTC. */
                timezone?: string;
                /** Up to two of template, type, category, country, phone_number, api_key, error_code; comma separated or repeated. */
                group_by?: string[];
                /** Only messages of this template. */
                template?: string;
                /** Only messages of this type, for example `text`. */
                type?: string;
                /** Only messages you sent, or only those you received. */
                direction?: "outbound" | "inbound";
                /** Only messages of this one of your numbers; the number or its id. */
                phone_number?: string;
                /** Only messages sent with this API key; its id. */
                api_key?: string;
                /** Largest groups to return, with points at most 50; all others are one group, `other`. */
                limit_groups?: number;
                /** `false` leaves out the points of the series: for the sums of many groups. */
                points?: boolean;
            };
        };
        responses: { 200: Answer<components["schemas"]["Analytics"]>; };
    };
    listAssignees: {
        responses: { 200: Answer<components["schemas"]["AssigneeList"]>; };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** An action, `api_key.created`, or all of a noun, `api_key`. */
                action?: string;
                /** The id of a person, or `operator` or `gateway`. */
                actor?: string;
                /** The first day, in UTC. */
                from?: string;
                /** The last day, in UTC. */
                to?: string;
                /** Part of a name, of what was changed, or of an address. */
                search?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleAuditList"]>; };
    };
    getAutomation: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Automation"]>; };
    };
    setAutomation: {
        requestBody: Json<components["schemas"]["AutomationChange"]>;
        responses: { 200: Answer<components["schemas"]["Automation"]>; };
    };
    listBlocked: {
        parameters: {
            query?: {
                /** The WhatsApp number of the block list: one of your numbers, or its id. Default: your default number. */
                from?: string;
                /** Customers per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BlockedList"]>; };
    };
    blockCustomers: {
        requestBody: Json<components["schemas"]["BlockRequest"]>;
        responses: { 200: Answer<components["schemas"]["BlockResult"]>; };
    };
    unblockCustomer: {
        parameters: {
            query?: {
                /** The WhatsApp number of the block list: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +. */
                customer: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["UnblockedCustomer"]>; };
    };
    listBroadcasts: {
        parameters: {
            query?: {
                /** Only those with this status. */
                status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "canceled";
                /** Broadcasts per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BroadcastList"]>; };
    };
    createBroadcast: {
        requestBody: Json<components["schemas"]["BroadcastDraft"]>;
        responses: { 201: Answer<components["schemas"]["Broadcast"]>; };
    };
    getBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    updateBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: Json<components["schemas"]["BroadcastChanges"]>;
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    deleteBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["DeletedBroadcast"]>; };
    };
    cancelBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    copyBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: Json<components["schemas"]["BroadcastCopy"]>;
        responses: { 201: Answer<components["schemas"]["Broadcast"]>; };
    };
    estimateBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BroadcastEstimate"]>; };
    };
    pauseBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    previewBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody?: Json<components["schemas"]["BroadcastPreviewRequest"]>;
        responses: { 200: Answer<components["schemas"]["BroadcastPreview"]>; };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** Only these. `sent` includes those delivered and read. */
                result?: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
                /** Only with this error code or reason. */
                code?: string;
                /** Recipients per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BroadcastRecipients"]>; };
    };
    uploadRecipients: {
        parameters: {
            query?: {
                /** Only check the recipients; nothing is stored. Default: false. */
                dry_run?: boolean;
                /** Replace all recipients of the broadcast. Default: false. */
                replace?: boolean;
                /** The column of a CSV file with the phone numbers. Default: `to`, `phone`, `phone_number`, `mobile` or `whatsapp`. */
                to_column?: string;
            };
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientsUpload"];
                "text/csv": components["schemas"]["RecipientsUpload"];
                "application/x-ndjson": components["schemas"]["RecipientsUpload"];
            };
        };
        responses: { 201: Answer<components["schemas"]["UploadResult"]>; };
    };
    exportRecipients: {
        parameters: {
            query?: {
                /** Only these. `sent` includes those delivered and read. */
                result?: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
                /** Only with this error code or reason. */
                code?: string;
            };
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    resumeBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    startBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody?: Json<components["schemas"]["BroadcastStart"]>;
        responses: { 200: Answer<components["schemas"]["Broadcast"]>; };
    };
    testBroadcast: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: Json<components["schemas"]["BroadcastTestRequest"]>;
        responses: { 200: Answer<components["schemas"]["BroadcastTest"]>; };
    };
    getUploadProblems: {
        parameters: {
            path: {
                /** Id of the broadcast. */
                broadcast_id: string;
                /** Id of the upload. */
                upload_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listBudgets: {
        responses: { 200: Answer<components["schemas"]["BudgetList"]>; };
    };
    createBudget: {
        requestBody: Json<components["schemas"]["BudgetRequest"]>;
        responses: { 200: Answer<components["schemas"]["Budget"]>; };
    };
    updateBudget: {
        parameters: {
            path: {
                /** Id of the budget. */
                budget_id: string;
            };
        };
        requestBody: Json<components["schemas"]["BudgetChange"]>;
        responses: { 200: Answer<components["schemas"]["Budget"]>; };
    };
    deleteBudget: {
        parameters: {
            path: {
                /** Id of the budget. */
                budget_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BudgetDeleted"]>; };
    };
    listChannels: {
        responses: { 200: Answer<components["schemas"]["ConsoleChannelList"]>; };
    };
    connectChannel: {
        requestBody: Json<components["schemas"]["ConsoleChannelForm"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleChannelChecked"]>; };
    };
    connectSandbox: {
        responses: { 200: Answer<components["schemas"]["ConsoleChannelList"]>; };
    };
    checkChannel: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleChannelRepair"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleChannelChecked"]>; };
    };
    disconnectChannel: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleChannelFarewell"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleCheckStep"]>; };
    };
    confirmPassword: {
        requestBody: Json<components["schemas"]["ConsoleConfirmRequest"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    listConnections: {
        responses: { 200: Answer<components["schemas"]["ConsoleConnectionList"]>; };
    };
    connectTool: {
        requestBody: Json<components["schemas"]["ConsoleNewConnection"]>;
        responses: { 201: Answer<components["schemas"]["ConsoleConnectionToken"]>; };
    };
    describeConnection: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    deleteConnection: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: {
                            deleted: boolean;
                        };
                    };
                };
            };
        };
    };
    setConnectionCallback: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleConnectionCallback"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    removeConnectionCallback: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    pauseConnectionCallback: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    resumeConnectionCallback: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    verifyConnectionCallback: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleWaivedCheck"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    setConnectionOptions: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConnectionOptions"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    prepareConnectionSecret: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnectionSecrets"]>; };
    };
    rotateConnection: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnectionToken"]>; };
    };
    showConnectionSecrets: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnectionSecrets"]>; };
    };
    switchConnectionSecret: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConnection"]>; };
    };
    getThread: {
        parameters: {
            query: {
                /** A phone number or a user id. */
                customer: string;
                limit?: number;
                /** For what was written before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConversation"]>; };
    };
    searchConversations: {
        parameters: {
            query: {
                /** Part of a name, number or message. */
                search: string;
                limit?: number;
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleConversationSearch"]>; };
    };
    describePresence: {
        parameters: {
            query: {
                /** A phone number or a user id. */
                customer: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsolePresence"]>; };
    };
    signalPresence: {
        requestBody: Json<components["schemas"]["ConsolePresenceSignal"]>;
        responses: { 200: Answer<components["schemas"]["ConsolePresence"]>; };
    };
    markConversationRead: {
        requestBody: Json<components["schemas"]["ConsoleCustomerChoice"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleMarkedConversation"]>; };
    };
    listConversations: {
        parameters: {
            query?: {
                /** Default: open conversations. */
                state?: "open" | "closed";
                /** Only those of this person, by id; `me` for the signed-in person; `none` for those of nobody. */
                assignee?: string;
                /** Only those with unread messages. */
                unread?: boolean;
                /** `closing`: only those whose 24-hour window closes within 4 hours. */
                window?: "closing";
                /** `activity`: the latest first. `waiting`: only customers without a reply, those who wait longest first. */
                order?: "activity" | "waiting";
                /** Conversations per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConversationList"]>; };
    };
    getConversation: {
        parameters: {
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Conversation"]>; };
    };
    assignConversation: {
        parameters: {
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        requestBody: Json<components["schemas"]["AssigneeChange"]>;
        responses: { 200: Answer<components["schemas"]["Conversation"]>; };
    };
    closeConversation: {
        parameters: {
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Conversation"]>; };
    };
    getConversationControl: {
        parameters: {
            query?: {
                /** The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConversationControl"]>; };
    };
    controlConversation: {
        parameters: {
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ControlRequest"]>;
        responses: { 200: Answer<components["schemas"]["ConversationControl"]>; };
    };
    reopenConversation: {
        parameters: {
            path: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Conversation"]>; };
    };
    getCosts: {
        parameters: {
            query?: {
                /** First day. Default: the first day of this month. */
                from?: string;
                /** The day after the last one. Default: tomorrow. */
                to?: string;
                /** Up to two of template, type, category, country, phone_number, api_key, broadcast, day, pricing_category; comma separated or repeated. `category` is that of the template, `pricing_category` what Meta charged the message as. */
                group_by?: string[];
                /** Only messages of this template. */
                template?: string;
                /** Only messages of this one of your numbers; its id. */
                phone_number?: string;
                /** Only messages sent with this API key; its id. */
                api_key?: string;
                /** Only messages of this broadcast; its id. */
                broadcast?: string;
                /** Most expensive groups to return; all others are left out. Groups by day are all returned. */
                limit_groups?: number;
            };
        };
        responses: { 200: Answer<components["schemas"]["Costs"]>; };
    };
    describeCustomer: {
        parameters: {
            query: {
                /** A phone number or a user id. */
                customer: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleCustomer"]>; };
    };
    eraseCustomer: {
        requestBody: Json<components["schemas"]["ConsoleCustomerChoice"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleErasureReceipt"]>; };
    };
    setPreference: {
        requestBody: Json<components["schemas"]["ConsolePreferenceChoice"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleCustomer"]>; };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** Only the customer who has this address. Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +. */
                address?: string;
                /** Customers per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["CustomerList"]>; };
    };
    createCustomer: {
        requestBody: Json<components["schemas"]["CustomerRequest"]>;
        responses: { 200: Answer<components["schemas"]["Customer"]>; };
    };
    getCustomer: {
        parameters: {
            path: {
                /** Id of the customer, or an earlier id of a merged customer. */
                customer_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Customer"]>; };
    };
    setCustomerPreference: {
        parameters: {
            path: {
                /** Id of the customer, or an earlier id of a merged customer. */
                customer_id: string;
            };
        };
        requestBody: Json<components["schemas"]["CustomerPreferenceRequest"]>;
        responses: { 200: Answer<components["schemas"]["Customer"]>; };
    };
    findDeliveries: {
        parameters: {
            query: {
                /** Of an event or of a delivery. */
                id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleFoundDeliveries"]>; };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /** An action, `api_key.created`, or all of a noun, `api_key`. */
                action?: string;
                /** The id of a person, or `operator` or `gateway`. */
                actor?: string;
                /** The first day, in UTC. */
                from?: string;
                /** The last day, in UTC. */
                to?: string;
                /** Part of a name, of what was changed, or of an address. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    exportMessages: {
        parameters: {
            query?: {
                direction?: "outbound" | "inbound";
                status?: "waiting" | "queued" | "sent" | "delivered" | "read" | "failed" | "canceled" | "received" | "not_sent";
                type?: string;
                template?: string;
                key_id?: string;
                /** An id, a phone number or a reference, whole. */
                search?: string;
                /** The error code it failed or was rejected with. */
                code?: string;
                /** Inclusive. */
                since?: string;
                /** Exclusive. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    exportRequests: {
        parameters: {
            query?: {
                outcome?: "all" | "refused" | "accepted";
                key_id?: string;
                /** A request id, an error code or part of a route. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getHome: {
        responses: { 200: Answer<components["schemas"]["ConsoleHome"]>; };
    };
    countInbox: {
        responses: { 200: Answer<components["schemas"]["ConsoleInboxCounts"]>; };
    };
    getInstallation: {
        responses: { 200: Answer<components["schemas"]["ConsoleInstallationHealth"]>; };
    };
    listTenants: {
        parameters: {
            query?: {
                after?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleTenantList"]>; };
    };
    createTenant: {
        requestBody: Json<components["schemas"]["ConsoleNewTenant"]>;
        responses: { 201: Answer<components["schemas"]["ConsoleTenantCreated"]>; };
    };
    planTenantDeletion: {
        parameters: {
            path: {
                account_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleTenantDeletion"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleTenantDeletionPlanned"]>; };
    };
    setTenantPlan: {
        parameters: {
            path: {
                account_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleTenantPlan"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    setTenantStatus: {
        parameters: {
            path: {
                account_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleTenantStatus"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    listAuditOfAll: {
        parameters: {
            query?: {
                before?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleOperatorAudit"]>; };
    };
    listSettings: {
        responses: { 200: Answer<components["schemas"]["ConsoleSettingList"]>; };
    };
    listTableSizes: {
        responses: { 200: Answer<components["schemas"]["ConsoleTableSizes"]>; };
    };
    listApiKeys: {
        responses: { 200: Answer<components["schemas"]["ConsoleApiKeyList"]>; };
    };
    createApiKey: {
        requestBody: Json<components["schemas"]["ConsoleNewApiKey"]>;
        responses: { 201: Answer<components["schemas"]["ConsoleCreatedApiKey"]>; };
    };
    changeApiKeyAccess: {
        parameters: {
            path: {
                key_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleKeyAccess"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleApiKey"]>; };
    };
    revokeApiKey: {
        parameters: {
            path: {
                key_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleApiKey"]>; };
    };
    rotateApiKey: {
        parameters: {
            path: {
                key_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleCreatedApiKey"]>; };
    };
    getKeywords: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Keywords"]>; };
    };
    setKeywords: {
        requestBody: Json<components["schemas"]["KeywordsChange"]>;
        responses: { 200: Answer<components["schemas"]["Keywords"]>; };
    };
    getLimits: {
        responses: { 200: Answer<components["schemas"]["ConsoleLimits"]>; };
    };
    listLinks: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["LinkList"]>; };
    };
    createLink: {
        requestBody: Json<components["schemas"]["LinkRequest"]>;
        responses: { 200: Answer<components["schemas"]["Link"]>; };
    };
    updateLink: {
        parameters: {
            path: {
                /** Meta's code of the link. */
                link_id: string;
            };
        };
        requestBody: Json<components["schemas"]["LinkRequest"]>;
        responses: { 200: Answer<components["schemas"]["Link"]>; };
    };
    deleteLink: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** Meta's code of the link. */
                link_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["LinkDeleted"]>; };
    };
    followChanges: {
        parameters: {
            query?: {
                account?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    changeOwnName: {
        requestBody: Json<components["schemas"]["ConsoleOwnProfile"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    describeAlerts: {
        responses: { 200: Answer<components["schemas"]["ConsoleAlerts"]>; };
    };
    chooseAlerts: {
        requestBody: Json<components["schemas"]["ConsoleAlertChoice"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleAlerts"]>; };
    };
    changeOwnPassword: {
        requestBody: Json<components["schemas"]["ConsolePasswordChange"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    getTwoFactor: {
        responses: { 200: Answer<components["schemas"]["ConsoleTwoFactorState"]>; };
    };
    beginTwoFactor: {
        responses: { 200: Answer<components["schemas"]["ConsoleTwoFactorSetup"]>; };
    };
    confirmTwoFactor: {
        requestBody: Json<components["schemas"]["ConsoleTwoFactorConfirmation"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleRecoveryCodes"]>; };
    };
    switchOffTwoFactor: {
        requestBody: Json<components["schemas"]["ConsoleBothFactors"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    renewRecoveryCodes: {
        requestBody: Json<components["schemas"]["ConsoleBothFactors"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleRecoveryCodes"]>; };
    };
    uploadMedia: {
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Images: JPEG, PNG (5 MB). Documents: PDF, Word, Excel, PowerPoint, plain text (100 MB). Audio: AAC, AMR, M4A, MP3, OGG with Opus (16 MB). Video: MP4, 3GP (16 MB). Stickers: WebP (100 KB, animated 500 KB). 1 MB is 1,048,576 bytes. The bytes decide the type, not the name; the Content-Type of the part counts where they cannot, as for plain text. (binary) */
                    file: string;
                    /** Name to keep instead of the file's own; without path, line breaks or control characters. */
                    filename?: string;
                };
            };
        };
        responses: { 201: Answer<components["schemas"]["MediaFile"]>; };
    };
    readMediaContent: {
        parameters: {
            path: {
                /** Id of the file. */
                media_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "*/*": string;
                };
            };
        };
    };
    listMembers: {
        responses: { 200: Answer<components["schemas"]["ConsoleMemberList"]>; };
    };
    inviteMember: {
        requestBody: Json<components["schemas"]["ConsoleInvitation"]>;
        responses: { 201: Answer<components["schemas"]["ConsoleInvited"]>; };
    };
    changeMemberRole: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleRoleChange"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleMember"]>; };
    };
    removeMember: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    renewMemberLink: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleInvited"]>; };
    };
    listMessageFilters: {
        responses: { 200: Answer<components["schemas"]["ConsoleLogFilters"]>; };
    };
    listMessageLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                direction?: "outbound" | "inbound";
                status?: "waiting" | "queued" | "sent" | "delivered" | "read" | "failed" | "canceled" | "received" | "not_sent";
                type?: string;
                template?: string;
                key_id?: string;
                /** An id, a phone number or a reference, whole. */
                search?: string;
                /** The error code it failed or was rejected with. */
                code?: string;
                /** Inclusive. */
                since?: string;
                /** Exclusive. */
                until?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleMessageLog"]>; };
    };
    cancelWaitingMessage: {
        requestBody: Json<components["schemas"]["ConsoleCancelWaiting"]>;
        responses: { 200: Answer<components["schemas"]["CanceledMessage"]>; };
    };
    sendContacts: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendContacts"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendInteractive: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendInteractive"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendLocation: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendLocation"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendMedia: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendMedia"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendReaction: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendReaction"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendText: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendText"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentText"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendSticker: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendSticker"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendTemplate: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
        };
        requestBody: Json<components["schemas"]["SendTemplate"]>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentTemplate"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    describeMessage: {
        parameters: {
            path: {
                message_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleMessageDetail"]>; };
    };
    sendMessageAgain: {
        parameters: {
            path: {
                message_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleSendAgain"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSentByHand"]>; };
    };
    setDefaultNumber: {
        parameters: {
            path: {
                number_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleChannelList"]>; };
    };
    finishOidc: {
        responses: {
            /** A redirect (303) to the console, also where nobody was signed in. */
            default: {
                content?: never;
            };
        };
    };
    finishOidcWithCode: {
        requestBody: Json<components["schemas"]["ConsoleOidcCode"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    confirmByOidc: {
        requestBody: Json<components["schemas"]["ConsoleOidcLink"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleOidcAddress"]>; };
    };
    linkByOidc: {
        requestBody: Json<components["schemas"]["ConsoleOidcLink"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleOidcAddress"]>; };
    };
    unlinkOidc: {
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    startOidc: {
        requestBody: Json<components["schemas"]["ConsoleOidcStart"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleOidcAddress"]>; };
    };
    getProfile: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["BusinessProfile"]>; };
    };
    updateProfile: {
        requestBody: Json<components["schemas"]["BusinessProfileChanges"]>;
        responses: { 200: Answer<components["schemas"]["BusinessProfile"]>; };
    };
    readProfilePhoto: {
        parameters: {
            query?: {
                /** The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
                /** Changes with the photo, so that browsers load the new one. */
                t?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "*/*": string;
                };
            };
        };
    };
    getProgress: {
        responses: { 200: Answer<components["schemas"]["ConsoleProgress"]>; };
    };
    listRates: {
        parameters: {
            query?: {
                history?: boolean;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleRateCards"]>; };
    };
    importRates: {
        requestBody: Json<components["schemas"]["ConsoleRateImport"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleRateCard"]>; };
    };
    checkRates: {
        requestBody: Json<components["schemas"]["ConsoleRateImport"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleRateCheck"]>; };
    };
    removeRates: {
        parameters: {
            path: {
                rate_card_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                outcome?: "all" | "refused" | "accepted";
                key_id?: string;
                /** A request id, an error code or part of a route. */
                search?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleRequestList"]>; };
    };
    setSandboxBehaviour: {
        requestBody: Json<components["schemas"]["ConsoleSandboxBehaviour"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    readSandboxConversation: {
        parameters: {
            query: {
                number_id: string;
                /** The phone number of the simulated customer. */
                customer: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleSandboxConversation"]>; };
    };
    addSandboxCustomer: {
        requestBody: Json<components["schemas"]["ConsoleSandboxNewCustomer"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    listSandboxEvents: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: {
                            events: components["schemas"]["ConsoleTracedEvent"][];
                        };
                    };
                };
            };
        };
    };
    actAsCustomer: {
        requestBody: Json<components["schemas"]["ConsoleSandboxAct"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSandboxActed"]>; };
    };
    listSandboxNumbers: {
        responses: { 200: Answer<components["schemas"]["ConsoleSandboxLines"]>; };
    };
    describeSandboxPhone: {
        parameters: {
            query: {
                number_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleSandboxPhone"]>; };
    };
    setSandboxWindow: {
        requestBody: Json<components["schemas"]["ConsoleSandboxWindow"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    listSavedReplies: {
        responses: { 200: Answer<components["schemas"]["SavedReplyList"]>; };
    };
    createSavedReply: {
        requestBody: Json<components["schemas"]["SavedReplyRequest"]>;
        responses: { 200: Answer<components["schemas"]["SavedReply"]>; };
    };
    updateSavedReply: {
        parameters: {
            path: {
                /** Id of the saved reply. */
                saved_reply_id: string;
            };
        };
        requestBody: Json<components["schemas"]["SavedReplyRequest"]>;
        responses: { 200: Answer<components["schemas"]["SavedReply"]>; };
    };
    deleteSavedReply: {
        parameters: {
            path: {
                /** Id of the saved reply. */
                saved_reply_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["SavedReplyDeleted"]>; };
    };
    getServiceTimes: {
        parameters: {
            query?: {
                /** Start of the range, inclusive. Whole days in UTC: a moment means its day. Default: 6 days ago. */
                from?: string;
                /** End of the range, exclusive, at most 92 days after the start. A moment within a day includes that day. Default: today is the last day. */
                to?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ServiceTimes"]>; };
    };
    getSession: {
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    switchAccount: {
        requestBody: Json<components["schemas"]["ConsoleAccountSwitch"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    listSessions: {
        responses: { 200: Answer<components["schemas"]["ConsoleSessionList"]>; };
    };
    revokeOtherSessions: {
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    revokeSession: {
        parameters: {
            path: {
                session_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    completeSetup: {
        requestBody: Json<components["schemas"]["ConsoleSetupRequest"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    enterByLink: {
        requestBody: Json<components["schemas"]["ConsoleSetupEntry"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    describeSetupLink: {
        requestBody: Json<components["schemas"]["ConsoleSetupLookup"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSetupLink"]>; };
    };
    describeSignIn: {
        responses: { 200: Answer<components["schemas"]["ConsoleSignInWays"]>; };
    };
    signIn: {
        requestBody: Json<components["schemas"]["ConsoleSignInRequest"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSession"]>; };
    };
    requestPasswordLink: {
        requestBody: Json<components["schemas"]["ConsoleForgotRequest"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    signOut: {
        responses: { 200: Answer<components["schemas"]["ConsoleDone"]>; };
    };
    listSignups: {
        responses: { 200: Answer<components["schemas"]["ConsoleSignupList"]>; };
    };
    startSignup: {
        requestBody: Json<components["schemas"]["ConsoleSignupStart"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSignupStarted"]>; };
    };
    returnFromSignup: {
        requestBody: Json<components["schemas"]["ConsoleSignupReturn"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSignup"]>; };
    };
    continueSignup: {
        parameters: {
            path: {
                signup_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleSignupChoice"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleSignup"]>; };
    };
    giveUpSignup: {
        parameters: {
            path: {
                signup_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleSignup"]>; };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** Only templates with one of these statuses, comma separated. Default: all but `deleted`. */
                status?: string;
                /** Only templates of this category. */
                category?: "marketing" | "utility" | "authentication";
                /** Only templates in this language. */
                language?: string;
                /** Only templates with exactly this name. */
                name?: string;
                /** Only templates with this text in their name or body. */
                search?: string;
                /** Only templates from the `catalog`, made with this `api`, or made at Meta (`platform`). */
                source?: "catalog" | "api" | "platform";
                /** Templates per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["TemplateList"]>; };
    };
    createTemplate: {
        requestBody: Json<components["schemas"]["TemplateDraft"]>;
        responses: { 201: Answer<components["schemas"]["Template"]>; };
    };
    submitCatalog: {
        responses: { 200: Answer<components["schemas"]["ConsoleCatalogSubmission"]>; };
    };
    checkTemplateDraft: {
        requestBody: Json<components["schemas"]["TemplateDraft"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleCheckedTemplate"]>; };
    };
    getTemplate: {
        parameters: {
            path: {
                /** Id of the template. */
                template_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["TemplateWithHistory"]>; };
    };
    updateTemplate: {
        parameters: {
            path: {
                /** Id of the template. */
                template_id: string;
            };
        };
        requestBody: Json<components["schemas"]["TemplateChanges"]>;
        responses: { 200: Answer<components["schemas"]["Template"]>; };
    };
    deleteTemplate: {
        parameters: {
            path: {
                /** Id of the template. */
                template_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["DeletedTemplate"]>; };
    };
    getUsage: {
        responses: { 200: Answer<components["schemas"]["ConsoleUsage"]>; };
    };
    describeWebhooks: {
        responses: { 200: Answer<components["schemas"]["ConsoleWebhookStandings"]>; };
    };
    createWebhook: {
        requestBody: Json<components["schemas"]["WebhookDraft"]>;
        responses: { 201: Answer<components["schemas"]["CreatedWebhook"]>; };
    };
    describeWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleWebhookDetail"]>; };
    };
    updateWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: Json<components["schemas"]["WebhookChanges"]>;
        responses: { 200: Answer<components["schemas"]["Webhook"]>; };
    };
    deleteWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The webhook that was deleted. */
                        data: {
                            /** Id of the webhook, `whk_…`. */
                            id: string;
                            /** Always true. */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    checkSignature: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ConsoleSignatureToCheck"]>;
        responses: { 200: Answer<components["schemas"]["ConsoleCheckedSignature"]>; };
    };
    describeDeliveries: {
        parameters: {
            query?: {
                /** Only deliveries with this status, or with one of several, separated by commas. */
                status?: string;
                /** Only events of this type. */
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
                /** Only deliveries created at or after this time. */
                since?: string;
                /** Only deliveries created before this time. */
                until?: string;
                /** Only events of this message. */
                message_id?: string;
                /** `next_cursor` of the page before. */
                cursor?: string;
                /** Entries per page. */
                limit?: number;
            };
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleDeliveryLog"]>; };
    };
    describeDelivery: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
                /** Id of the delivery. */
                delivery_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["DeliveryWithAttempts"]>; };
    };
    retryDelivery: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
                /** Id of the delivery. */
                delivery_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Delivery"]>; };
    };
    previewReplay: {
        parameters: {
            query: {
                since: string;
                status?: "failed" | "all";
            };
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["ConsoleReplayPreview"]>; };
    };
    replayDeliveries: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: Json<components["schemas"]["ReplayRequest"]>;
        responses: { 200: Answer<components["schemas"]["Replay"]>; };
    };
    rotateWebhookSecret: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody?: Json<components["schemas"]["RotateRequest"]>;
        responses: { 200: Answer<components["schemas"]["RotatedSecret"]>; };
    };
    testWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: Json<components["schemas"]["WebhookTestRequest"]>;
        responses: { 200: Answer<components["schemas"]["WebhookTest"]>; };
    };
    verifyWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Webhook"]>; };
    };
}
