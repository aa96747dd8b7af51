// Generated from docs/api/console.json by scripts/generate.ts: change the schemas of the server.

export interface paths {
    "/console/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account and its settings */
        get: operations["getAccount"];
        /** Rename the account */
        put: operations["renameAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/account/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Whether every member needs two-factor sign-in
         * @description Members without it set it up when they sign in next.
         */
        put: operations["requireTwoFactor"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get messaging analytics
         * @description Counts messages over time, grouped as you choose.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what, newest first */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the blocked customers of a number
         * @description Without the scope `messages:read`, numbers have only their first and last digits.
         */
        get: operations["listBlocked"];
        put?: never;
        /**
         * Block customers who wrote in the last 24 hours
         * @description Blocked customers cannot write to the number, do not see it online, and cannot be written to. Each customer is handled separately: `failed` names those who could not be blocked. When none could, the response is the error of the first. Safe to repeat.
         */
        post: operations["blockCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/blocked/{customer}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unblock a customer */
        delete: operations["unblockCustomer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Connected channels with their numbers */
        get: operations["listChannels"];
        put?: never;
        /**
         * Connect a number, step by step
         * @description The response has every step; nothing is stored when the credentials or the number do not work.
         */
        post: operations["connectChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/channels/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect a number of the sandbox */
        post: operations["connectSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/channels/{channel_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a connected channel */
        post: operations["checkChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/channels/{channel_id}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disconnect a channel and delete its credentials */
        post: operations["disconnectChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the password
         * @description Allows irreversible acts for 5 minutes.
         */
        post: operations["confirmPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The conversation with one customer */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/conversation/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark the messages of a customer as read */
        post: operations["markConversationRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Customers with their last message, unread ones first */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/conversations/{customer_id}/control": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See who handles a conversation
         * @description Meta has no call for this: the response follows from what it reported.
         */
        get: operations["getConversationControl"];
        put?: never;
        /**
         * Pass, release or take a conversation
         * @description Meta is called once. Do not repeat a call that ended with `control_outcome_unknown` before you have looked who handles the conversation.
         */
        post: operations["controlConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names, addresses and preferences of a customer */
        get: operations["describeCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customer/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase a customer permanently */
        post: operations["eraseCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customer/preference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop marketing messages to a customer, or allow them again */
        post: operations["setPreference"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers, or find one by address
         * @description Customers with the newest activity first. With `address`, the customer who has it, or none. Without the scope `messages:read`, names are null and addresses have only their first and last digits.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Get the customer of an address, known or not
         * @description For customers whose consent is recorded before the first message. Safe to repeat: an address that is known returns its customer.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customers/{customer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer with windows and preferences
         * @description Without the scope `messages:read`, names are null and addresses have only their first and last digits.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/customers/{customer_id}/preference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Record or withdraw consent to marketing messages
         * @description Recorded with the time and the name of the API key or person, in the audit log, and in an event where it changes something. Marketing templates to customers who opted out are rejected.
         */
        put: operations["setCustomerPreference"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries behind the id of an event or of a delivery */
        get: operations["findDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/exports/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit log as CSV, newest first */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/exports/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The message log as CSV, newest first */
        get: operations["exportMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/exports/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls to the API as CSV, newest first */
        get: operations["exportRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether everything works, at a glance */
        get: operations["getHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All API keys, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; its secret is shown once only */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change name, scopes and addresses of an API key */
        put: operations["changeApiKeyAccess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an API key and every token of it */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new secret for an API key; the old one works for 24 hours */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much of the plan is used right now */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Server-sent events that name what changed
         * @description Events `changed` with `{"topics": […]}` (of events, messages, deliveries, attempts, channels, audit), `heartbeat` with `{"readable": …}`
         *     every 3 s (false: the database cannot be read), and `signed_out`.
         */
        get: operations["followChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change your name */
        put: operations["changeOwnName"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Every other session of the person ends.
         */
        put: operations["changeOwnPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether your two-factor sign-in is on, and how many recovery codes are left */
        get: operations["getTwoFactor"];
        put?: never;
        /** A new secret for an authenticator app; a code must confirm it */
        post: operations["beginTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn on two-factor sign-in with a first code
         * @description Returns the recovery codes. Every other session of the person ends.
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me/two-factor/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn off two-factor sign-in */
        post: operations["switchOffTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/me/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ten new recovery codes; the previous ones stop working */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a file */
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/media/{media_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file */
        get: operations["readMediaContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The people of the account */
        get: operations["listMembers"];
        put?: never;
        /** Invite a person; the link is shown once */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Give a member another role; the member signs in again */
        put: operations["changeMemberRole"];
        post?: never;
        /** Remove a member; sessions and links end at once */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members/{user_id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new one-time link to join, or to set a new password */
        post: operations["renewMemberLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members/{user_id}/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Reset the second factor of a member, who signs in again with the password alone */
        delete: operations["resetMemberTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/message-filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Filters of the message log */
        get: operations["listMessageFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages and rejected sends, newest first */
        get: operations["listMessageLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send contact cards
         * @description The response comes within 10 seconds.
         */
        post: operations["sendContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/interactive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an interactive message
         * @description The response comes within 10 seconds.
         */
        post: operations["sendInteractive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a location
         * @description The response comes within 10 seconds.
         */
        post: operations["sendLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an image, document, audio or video
         * @description The response comes within 10 seconds. When the upload to Meta takes longer, the response is `service_unavailable`; the upload continues, and a retry uses it.
         */
        post: operations["sendMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/reaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * React to a message
         * @description Puts an emoji on a message, or removes it. Its status stays `sent`: Meta reports neither delivery nor reading of reactions. The response comes within 10 seconds.
         */
        post: operations["sendReaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a text message
         * @description Allowed for 24 hours after the customer's last message; after that, send a template. The response comes within 10 seconds.
         */
        post: operations["sendText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/sticker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sticker
         * @description The response comes within 10 seconds. When the upload to Meta takes longer, the response is `service_unavailable`; the upload continues, and a retry uses it.
         */
        post: operations["sendSticker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a template message
         * @description Needed to write to a customer first, and outside the 24-hour window. The response comes within 10 seconds.
         */
        post: operations["sendTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A message with its history and webhook deliveries */
        get: operations["describeMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/messages/{message_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the content of a message again */
        post: operations["sendMessageAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/numbers/{number_id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the default number for messages */
        post: operations["setDefaultNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the business profile of a number */
        get: operations["getProfile"];
        /**
         * Update the business profile
         * @description Changes the given fields. The response is the profile as Meta has it after the change.
         */
        put: operations["updateProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/photo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The photo of the business profile */
        get: operations["readProfilePhoto"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the setup is */
        get: operations["getProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls to the API, newest first, including rejected ones */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/behaviour": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** What the next message will do, and how fast */
        put: operations["setSandboxBehaviour"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one customer sees */
        get: operations["readSandboxConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a simulated customer */
        post: operations["addSandboxCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events and the responses of webhooks */
        get: operations["listSandboxEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write or tap as the customer */
        post: operations["actAsCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The numbers of the account that are in the sandbox */
        get: operations["listSandboxNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The customers of a number and how their phone behaves */
        get: operations["describeSandboxPhone"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/window": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open or close the 24-hour window of a customer */
        post: operations["setSandboxWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, where, and what they may do */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where people are signed in
         * @description All sessions of the account for users who manage members; for all others, only their own.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions/revoke-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out everywhere else */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out one session */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take over the record behind a one-time link, and sign in */
        post: operations["completeSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/setup/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a one-time link is for
         * @description A POST, because the token would otherwise appear in the logs of proxies.
         */
        post: operations["describeSetupLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with email and password, and the two-factor code
         * @description Without `code`, a person with two-factor sign-in gets `two_factor_required`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List templates by name and language */
        get: operations["listTemplates"];
        put?: never;
        /** Create a template and submit it for review */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/templates/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit the templates every account starts with */
        post: operations["submitCatalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/templates/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is wrong with a template, and how it would look */
        post: operations["checkTemplateDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/templates/{template_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a template with its history */
        get: operations["getTemplate"];
        /** Edit a template and submit it again */
        put: operations["updateTemplate"];
        post?: never;
        /** Delete one language of a template */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan, its limits, and use per hour and day */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All webhooks, oldest first */
        get: operations["describeWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description A challenge is then sent to its url. The response does not wait for the challenge: `GET /v1/webhooks/{webhook_id}` shows its result in `verification`, and in `signed` whether deliveries are signed. `POST /v1/webhooks/{webhook_id}/verify` sends one and waits. Without the scope `messages:read` the webhook is `masked`: its payloads have no texts and names, and numbers with their first and last digits.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook and its deliveries in the last 24 hours */
        get: operations["describeWebhook"];
        /**
         * Update a webhook
         * @description Changes the given fields. Without the scope `messages:read`, a new `url` or further events about customers make the webhook `masked`. With the scope, giving its `url` ends that.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Cancels its pending deliveries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/check-signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a signature is one of this webhook */
        post: operations["checkSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries, newest first */
        get: operations["describeDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with all its attempts */
        get: operations["describeDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Sends it again now, with the same event id.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many deliveries a replay would send */
        get: operations["previewReplay"];
        put?: never;
        /** Replay events to a webhook */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description For a while, the old secret signs too.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Delivers a sample event now and shows the response of the receiver. A test is not stored: it does not appear in the list of deliveries or in statistics.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{webhook_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a webhook
         * @description Sends a challenge now and waits for the response.
         */
        post: operations["verifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Numbers of messages over time. */
        Analytics: {
            /**
             * Format: date-time
             * @description Start of the range, inclusive.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             */
            to: string;
            /**
             * @description Length of one point.
             * @example day
             * @enum {string}
             */
            granularity: "hour" | "day" | "month";
            /**
             * @description Time zone of days and months.
             * @example Europe/Lisbon
             */
            timezone: string;
            /**
             * @description How the series are divided.
             * @example []
             */
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "error_code")[];
            /**
             * Format: date-time
             * @description When the numbers were counted. Delivered and read may still grow for earlier messages.
             */
            as_of: string;
            /** @description Sums over the whole range. */
            totals: {
                /**
                 * @description Messages that were requested, whether or not they were sent.
                 * @example 123
                 */
                created: number;
                /**
                 * @description Messages that WhatsApp accepted.
                 * @example 120
                 */
                sent: number;
                /**
                 * @description Messages that reached the phone of the customer.
                 * @example 117
                 */
                delivered: number;
                /**
                 * @description Messages the customer opened.
                 * @example 80
                 */
                read: number;
                /**
                 * @description Messages that will not arrive.
                 * @example 3
                 */
                failed: number;
                /**
                 * @description Messages from customers.
                 * @example 42
                 */
                received: number;
                /**
                 * @description Delivered of sent, in percent with two decimals; null when nothing was sent.
                 * @example 97.5
                 */
                delivery_rate: number | null;
                /**
                 * @description Read of delivered, in percent with two decimals; null when nothing was delivered.
                 * @example 68.38
                 */
                read_rate: number | null;
                /**
                 * @description Different customers you wrote to. Null with filters, for ranges that are not whole UTC days, and for ranges older than messages are kept.
                 * @example 96
                 */
                unique_recipients: number | null;
                /**
                 * @description Seconds from sent to delivered: half of the messages were faster. Interpolated from fixed buckets.
                 * @example 1.8
                 */
                delivery_seconds_p50: number | null;
                /**
                 * @description Seconds from sent to delivered: 95 % of the messages were faster. Interpolated from fixed buckets.
                 * @example 1.8
                 */
                delivery_seconds_p95: number | null;
            };
            /** @description One entry per group; a single one without `group_by`. */
            series: {
                /** @description One value per grouping; null where messages have none, `other` for all that is not shown. */
                group: {
                    /** @description The template of this group. */
                    template?: string | null;
                    /** @description The type of this group. */
                    type?: string | null;
                    /** @description The category of this group. */
                    category?: string | null;
                    /** @description The country of this group. */
                    country?: string | null;
                    /** @description The phone number of this group. */
                    phone_number?: string | null;
                    /** @description The api key of this group. */
                    api_key?: string | null;
                    /** @description The error code of this group. */
                    error_code?: string | null;
                };
                /** @description Sums of this group. */
                totals: {
                    /**
                     * @description Messages that were requested, whether or not they were sent.
                     * @example 123
                     */
                    created: number;
                    /**
                     * @description Messages that WhatsApp accepted.
                     * @example 120
                     */
                    sent: number;
                    /**
                     * @description Messages that reached the phone of the customer.
                     * @example 117
                     */
                    delivered: number;
                    /**
                     * @description Messages the customer opened.
                     * @example 80
                     */
                    read: number;
                    /**
                     * @description Messages that will not arrive.
                     * @example 3
                     */
                    failed: number;
                    /**
                     * @description Messages from customers.
                     * @example 42
                     */
                    received: number;
                    /**
                     * @description Delivered of sent, in percent with two decimals; null when nothing was sent.
                     * @example 97.5
                     */
                    delivery_rate: number | null;
                    /**
                     * @description Read of delivered, in percent with two decimals; null when nothing was delivered.
                     * @example 68.38
                     */
                    read_rate: number | null;
                };
                /** @description One entry per hour, day or month, in order. */
                points: components["schemas"]["AnalyticsPoint"][];
            }[];
            /** @description Why messages failed, most frequent first. */
            failures: {
                /**
                 * @description Error code of the failed messages.
                 * @example recipient_unreachable
                 */
                code: string;
                /**
                 * @description Failed messages with the code.
                 * @example 3
                 */
                count: number;
            }[];
            /** @description Delivered messages by Meta's pricing category and type, where Meta named them. */
            pricing: {
                /**
                 * @description Pricing category.
                 * @example utility
                 */
                category: string;
                /**
                 * @description As Meta names it: `regular`, `free_customer_service`, `free_entry_point`, `free_group_customer_service` or a newer one; null where Meta did not say.
                 * @example regular
                 */
                type: string | null;
                /**
                 * @description Delivered messages of the category and type.
                 * @example 117
                 */
                count: number;
            }[];
        };
        /** @description The numbers of one hour, day or month. */
        AnalyticsPoint: {
            /**
             * Format: date-time
             * @description Start of the point, inclusive.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the point, exclusive.
             */
            end: string;
            /**
             * @description Messages that were requested, whether or not they were sent.
             * @example 123
             */
            created: number;
            /**
             * @description Messages that WhatsApp accepted.
             * @example 120
             */
            sent: number;
            /**
             * @description Messages that reached the phone of the customer.
             * @example 117
             */
            delivered: number;
            /**
             * @description Messages the customer opened.
             * @example 80
             */
            read: number;
            /**
             * @description Messages that will not arrive.
             * @example 3
             */
            failed: number;
            /**
             * @description Messages from customers.
             * @example 42
             */
            received: number;
            /**
             * @description Delivered of sent, in percent with two decimals; null when nothing was sent.
             * @example 97.5
             */
            delivery_rate: number | null;
            /**
             * @description Read of delivered, in percent with two decimals; null when nothing was delivered.
             * @example 68.38
             */
            read_rate: number | null;
        };
        /** @description Why a request was rejected. */
        ApiError: {
            /**
             * @description Stable code of the error. New codes may be added; none is renamed within v1.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "two_factor_setup_required" | "cross_site_request" | "last_owner" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "session_not_found" | "api_key_not_found" | "channel_not_found" | "customer_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
            /**
             * @description Group of the code, for clients that do not know the code itself.
             * @enum {string}
             */
            type: "invalid_request" | "authentication" | "permission" | "not_found" | "rate_limit" | "channel" | "server";
            /** @description The HTTP status, repeated for logs that do not record it. */
            status: number;
            /** @description Human-readable explanation; its wording may change. */
            message: string;
            /** @description True when the identical request can succeed later; on POST only with the same Idempotency-Key. */
            retryable: boolean;
            /** @description Id of the request, also in the `X-Request-Id` header. Quote it when you ask for help. */
            request_id: string;
            /** @description Page that explains the code. */
            doc_url: string;
            /** @description Every wrong field; only with `validation_failed` and similar codes. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Seconds; the same number as the Retry-After header. */
            retry_after?: number;
            /** @description The scope the API key lacks. */
            required_scope?: string;
            /** @description The limit of the plan that was reached; only with `rate_limit_exceeded`. */
            limit?: {
                /**
                 * @description Which limit of the plan was reached.
                 * @enum {string}
                 */
                policy: "hour" | "day";
                /** @description Requests the plan allows in the window. */
                quota: number;
                /** @description Requests made in the window. */
                used: number;
                /** @description Length of the window in seconds. */
                window_seconds: number;
                /**
                 * Format: date-time
                 * @description When the window ends.
                 */
                resets_at: string;
            };
            /** @description Provisional id of the stored record. */
            message_id?: string;
            /** @description Meta's error, when Meta rejected the call. */
            upstream?: {
                /** @description Meta's error code. */
                code: number | null;
                /** @description Meta's title of the error. */
                title: string | null;
                /** @description Meta's explanation. */
                detail: string | null;
                /** @description Id of the call at Meta, for Meta's support. */
                trace_id: string | null;
            };
        };
        /**
         * @description Customers to block.
         * @example {
         *       "customers": [
         *         "+12025550100"
         *       ]
         *     }
         */
        BlockRequest: {
            /** @description The WhatsApp number whose block list is meant: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Customers to block: 1 to 1,000, each of whom wrote to the number in the last 24 hours. */
            customers: string[];
        };
        /** @description The customers that were blocked, and those that were not. */
        BlockResult: {
            /**
             * @description The WhatsApp number whose block list this is.
             * @example +351210000000
             */
            phone_number: string;
            /**
             * @description Customers who are blocked now.
             * @example [
             *       "+12025550100"
             *     ]
             */
            blocked: string[];
            /**
             * @description Customers who could not be blocked; empty when all could.
             * @example []
             */
            failed: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example +12025550100
                 */
                customer: string;
                /**
                 * @description Why, as a code of the error table.
                 * @enum {string}
                 */
                code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "two_factor_setup_required" | "cross_site_request" | "last_owner" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "session_not_found" | "api_key_not_found" | "channel_not_found" | "customer_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
                /** @description Why, in one sentence. */
                message: string;
            }[];
        };
        /** @description A page of the block list, as Meta has it at this moment. */
        BlockedList: {
            /**
             * @description The WhatsApp number whose block list this is.
             * @example +351210000000
             */
            phone_number: string;
            /** @description Blocked customers. */
            blocked: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example +12025550100
                 */
                customer: string;
                /**
                 * @description Name of the customer, if they have written to this account.
                 * @example Ana
                 */
                name: string | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What customers see about a number, as Meta has it at this moment.
         * @example {
         *       "phone_number": "+351210000000",
         *       "about": "Open every day from 9 to 18",
         *       "address": "Rua Augusta 1, Lisboa",
         *       "description": "Plants and everything they need.",
         *       "email": "hello@acme.test",
         *       "vertical": "RETAIL",
         *       "websites": [
         *         "https://acme.test"
         *       ],
         *       "photo_url": "https://pps.whatsapp.net/v/t61/photo.jpg"
         *     }
         */
        BusinessProfile: {
            /**
             * @description The WhatsApp number that the profile belongs to.
             * @example +351210000000
             */
            phone_number: string;
            /** @description The line under the name. */
            about: string | null;
            /** @description Address of the business. */
            address: string | null;
            /** @description What the business does. */
            description: string | null;
            /** @description Email address for customers. */
            email: string | null;
            /**
             * @description Meta's category of the business. Meta may add others.
             * @example RETAIL
             */
            vertical: string | null;
            /** @description At most 2 addresses. */
            websites: string[];
            /** @description Address of the photo at Meta; it expires after some days. */
            photo_url: string | null;
        };
        /**
         * @description The fields to change; the others stay as they are.
         * @example {
         *       "about": "Open every day from 9 to 18",
         *       "address": "Rua Augusta 1, Lisboa",
         *       "description": "Plants and everything they need.",
         *       "email": "hello@acme.test",
         *       "vertical": "RETAIL",
         *       "websites": [
         *         "https://acme.test"
         *       ]
         *     }
         */
        BusinessProfileChanges: {
            /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description The line under the name, 1 to 139 characters. It can be changed, but not removed. */
            about?: string | null;
            /** @description Address of the business, at most 256 characters. An empty text removes it. */
            address?: string | null;
            /** @description What the business does, at most 512 characters. An empty text removes it. */
            description?: string | null;
            /** @description Email address for customers, at most 128 characters. An empty text removes it. */
            email?: string | null;
            /** @description Category of the business. An empty text removes it. */
            vertical?: ("" | "ALCOHOL" | "APPAREL" | "AUTO" | "BEAUTY" | "EDU" | "ENTERTAIN" | "EVENT_PLAN" | "FINANCE" | "GOVT" | "GROCERY" | "HEALTH" | "HOTEL" | "NONPROFIT" | "ONLINE_GAMBLING" | "OTC_DRUGS" | "OTHER" | "PHYSICAL_GAMBLING" | "PROF_SERVICES" | "RESTAURANT" | "RETAIL" | "TRAVEL") | null;
            /** @description At most 2 addresses of at most 256 characters. An empty list removes them. */
            websites?: string[] | null;
            /** @description The photo: a square JPEG or PNG of at most 5 MB, best with 640 pixels. Give `media_id` or `link`. */
            photo?: {
                /** @description Id of an uploaded file. */
                media_id?: string | null;
                /** @description Public https address of the file, which the gateway fetches. */
                link?: string | null;
            } | null;
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
        ConsoleApiKey: {
            id: string;
            /** @description The public half, in full: it is an identifier, not a secret. */
            key: string;
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "profile:read" | "profile:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write")[];
            /** @enum {string} */
            status: "active" | "revoked" | "expired";
            /** Format: date-time */
            created_at: string;
            /** @description Name of the person; null for keys of the command line. */
            created_by: string | null;
            /** Format: date-time */
            expires_at: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_ip: string | null;
            /** @description Accepted calls: the last 24 UTC hours, the running one included. */
            calls_24h: number;
            /**
             * Format: date-time
             * @description After a rotation the old secret works until then.
             */
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
            /**
             * Format: date-time
             * @description When it is retried automatically.
             */
            next_attempt_at: string | null;
            /** @description The console page that handles it. */
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
            /**
             * @description `auth_failed`: Meta rejects the token; callbacks still arrive. `no_callbacks`: messages can be sent, but the last check found that Meta reports no statuses and no incoming messages to this gateway.
             * @enum {string}
             */
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
            /** @description Every step passed. */
            ok: boolean;
            channel: components["schemas"]["ConsoleChannel"] | null;
            steps: components["schemas"]["ConsoleCheckStep"][];
            manual: components["schemas"]["ConsoleManualSetup"] | null;
        };
        ConsoleChannelFarewell: {
            /** @description The number that will no longer send. */
            confirm: string;
        };
        ConsoleChannelForm: {
            business_id: string;
            phone_number_id: string;
            access_token: string;
            /** @description Left out where the token belongs to the operator's app. */
            app_secret?: string | null;
            /** @description Determined automatically where Meta provides it. */
            app_id?: string | null;
            /** @description Replace callback addresses that belong to another service. */
            take_over?: boolean | null;
            pin?: string | null;
        };
        ConsoleChannelList: {
            channels: components["schemas"]["ConsoleChannel"][];
            /** @description A sandbox runs beside this gateway. */
            sandbox_available: boolean;
            /** @description The operator provides a Meta app: no app secret is needed. */
            shared_app: boolean;
        };
        ConsoleChannelRepair: {
            repair?: boolean | null;
            take_over?: boolean | null;
        };
        ConsoleCheckStep: {
            name: string;
            /** @enum {string} */
            status: "ok" | "warning" | "failed" | "skipped";
            /** @description What was found. */
            sentence: string;
            /** @description What to do about it. */
            fix: string | null;
            /** @description The error code of the call to Meta that failed. */
            code: string | null;
        };
        ConsoleCheckedSignature: {
            valid: boolean;
            /** @description One sentence: what fits, or what does not. */
            reason: string;
        };
        ConsoleCheckedTemplate: {
            /** @description Every problem that a submission would be rejected for; at most 20. */
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
        ConsoleConversation: {
            customer_id: string | null;
            customer: string;
            name: string | null;
            unread: number;
            /** @description Replies are sent from it: the number they last wrote to, if it is still connected. */
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
                /** @description Anything but a template may be sent. */
                free_form: boolean;
            };
            /** @description Who replies in this conversation. */
            control: {
                /** @enum {string} */
                owner: "gateway" | "other" | "nobody";
                role: string | null;
                /** Format: date-time */
                since: string | null;
                /** @description Another responder was seen in it. */
                shared: boolean;
                /** @description What the previous responder wrote. */
                summary: string | null;
            };
            marketing: {
                /** @enum {string} */
                state: "opted_out" | "opted_in" | "unknown";
                /** Format: date-time */
                since: string | null;
            };
            /**
             * Format: date-time
             * @description When they were blocked from here, if they still are.
             */
            blocked_at: string | null;
            messages: {
                id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                type: string;
                status: string;
                /** @description Whether Meta has accepted the message is not known. */
                unresolved: boolean;
                template: string | null;
                reply_to: string | null;
                /** @description Written in a group, not to the account alone. */
                in_group: boolean;
                /** @description How it came here, where not through this gateway. */
                origin: string | null;
                number: string | null;
                /** @description The person who sent it from the console. */
                sent_by: string | null;
                /** @description The API key it was sent with. */
                key_name: string | null;
                /** Format: date-time */
                at: string;
                content: {
                    [key: string]: unknown;
                } | null;
                failure: {
                    code: string;
                    what: string;
                    /** @description What Meta said. */
                    why: string | null;
                    help: string;
                    upstream_code: number | null;
                } | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleConversationList: {
            conversations: {
                customer_id: string;
                customer: string;
                name: string | null;
                /** @description The number of ours they last wrote to. */
                number: string | null;
                /** @description Number of unread messages. */
                unread: number;
                /** Format: date-time */
                last_inbound_at: string | null;
                window: {
                    /** @enum {string} */
                    state: "open" | "closed" | "unknown";
                    /** Format: date-time */
                    expires_at: string | null;
                };
                last: {
                    id: string;
                    /** @enum {string} */
                    direction: "outbound" | "inbound";
                    type: string;
                    status: string;
                    template: string | null;
                    preview: string | null;
                    /** @description Why it failed. */
                    code: string | null;
                    /** Format: date-time */
                    at: string;
                } | null;
                found: {
                    id: string;
                    /** @enum {string} */
                    direction: "outbound" | "inbound";
                    type: string;
                    status: string;
                    template: string | null;
                    preview: string | null;
                    /** @description Why it failed. */
                    code: string | null;
                    /** Format: date-time */
                    at: string;
                } | null;
            }[];
            /** @description The phone number that was searched for, if it is one. */
            address: string | null;
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleCreatedApiKey: {
            key: components["schemas"]["ConsoleApiKey"];
            /** @description Shown once only. */
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
            /** @description The gateway itself rejects marketing to customers who opted out. */
            marketing_enforced: boolean;
            /** Format: date-time */
            last_message_at: string | null;
        };
        ConsoleCustomerChoice: {
            /** @description A phone number or a user id. */
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
            /** @description Masked. */
            customer: string;
            /** Format: date-time */
            erased_at: string;
            erased_by: string;
            rows: {
                table: string;
                count: number;
            }[];
            /** @description Callbacks from Meta that name the customer and are not applied yet. Erase again after them. */
            callbacks_waiting: number;
            /** @description User ids that Meta's contact book may still have. Erase again to retry. */
            contact_book_failed: string[];
            /** @description Deleted files of the account whose bytes could not be removed from their storage yet. Retried. */
            files_waiting: number;
        };
        ConsoleFoundDeliveries: {
            deliveries: {
                id: string;
                webhook_id: string;
                url: string;
                type: string;
                status: string;
            }[];
            /** @description The message the event is about. */
            message_id: string | null;
        };
        ConsoleHome: {
            figures: {
                sent: number;
                delivered: number;
                read: number;
                failed: number;
                received: number;
                /** @description Messages that were requested, whether or not they were sent. */
                created: number;
                /** @description Sends that were rejected before a message existed; the newest 1,000 are counted. */
                not_sent: number;
                /** @description Delivered of created, in percent. */
                delivery_rate: number | null;
                /** @description Read of delivered, in percent. */
                read_rate: number | null;
                /** @description The last 24 hours, oldest first. */
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
        ConsoleInvitation: {
            name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
        };
        ConsoleInvited: {
            member: components["schemas"]["ConsoleMember"];
            /** @description Works once, for 7 days; shown only now. */
            link: string;
            /** Format: date-time */
            expires_at: string;
        };
        ConsoleKeyAccess: {
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "profile:read" | "profile:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write")[];
            allowed_ips?: string[] | null;
        };
        /** @description Null on a plan without limits. */
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
        /** @description A `postern listen` that was there within the last 24 hours. */
        ConsoleListener: {
            /** @description Its log is read like that of a webhook. */
            id: string;
            /** @description The API key it listens with. */
            key_name: string | null;
            /** @description Whether it listens now. */
            connected: boolean;
            /**
             * Format: date-time
             * @description When it was last heard of.
             */
            seen_at: string;
        };
        ConsoleLogEntry: {
            /** @description Of the message; of the request where nothing was sent. */
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @description Masked where the role may not see people. */
            customer: string | null;
            name: string | null;
            type: string;
            template: string | null;
            /** @description The beginning of what it says; null where it is hidden or gone. */
            preview: string | null;
            /** @enum {string} */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "received" | "not_sent";
            /** @description Whether Meta has accepted the message is not known. */
            unresolved: boolean;
            /** @description Why it failed, or was not sent. */
            code: string | null;
            /** @description The response of the rejected call. */
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
            /** @description Of the latest attempt. */
            status_code: number | null;
            error_code: string | null;
            duration_ms: number | null;
        };
        ConsoleLoggedRequest: {
            /** @description The X-Request-Id of its response. */
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
            /** @description At most 2 KiB. Kept for rejected requests, redacted; with `path`, unchanged except for secrets. */
            body: string | null;
            /** @description The address with ids and query. Kept while all numbers are of the sandbox. */
            path: string | null;
            /** @description The response, without secrets, at most 2 KiB. Kept together with `path`. */
            answer: string | null;
        };
        ConsoleManualSetup: {
            callback_url: string;
            verify_token: string;
            fields: string[];
            /** @description Meta has verified the address. */
            verified: boolean;
        };
        ConsoleMarkedConversation: {
            /**
             * @description The outcome of the read receipt.
             * @enum {string}
             */
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
            /** Format: date-time */
            created_at: string;
        };
        ConsoleMemberList: {
            members: components["schemas"]["ConsoleMember"][];
        };
        ConsoleMessageDetail: {
            id: string;
            /** @description The gateway’s own id, which always works. */
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
            /** @description The person who sent it from the console. */
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
                /** @description What Meta said. */
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
            /** @description The API call that sends a message like this one. */
            request: {
                path: string;
                body: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The response of GET /v1/chat/messages/{id}. */
            record: {
                [key: string]: unknown;
            };
        };
        ConsoleMessageLog: {
            entries: components["schemas"]["ConsoleLogEntry"][];
            pagination: components["schemas"]["Pagination"];
            /**
             * Format: date-time
             * @description Use `since` for later messages.
             */
            as_of: string;
            /** @description The role may not see people and what they write. */
            hidden: boolean;
        };
        ConsoleNewApiKey: {
            name: string;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "profile:read" | "profile:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write")[];
            /** Format: date-time */
            expires_at?: string | null;
            allowed_ips?: string[] | null;
        };
        ConsoleOwnProfile: {
            name: string;
        };
        ConsolePasswordChange: {
            current_password: string;
            new_password: string;
        };
        ConsolePreferenceChoice: {
            /** @description A phone number or a user id. */
            customer: string;
            /** @enum {string} */
            preference: "opted_out" | "opted_in";
        };
        ConsoleProgress: {
            steps: components["schemas"]["ConsoleSetupStep"][];
            /** @description Of the four that are needed. */
            done: number;
            sandbox: {
                connected: boolean;
                available: boolean;
            };
            first_message_sent: boolean;
            /** @description A number of your own is connected, beside or instead of the sandbox. */
            live: boolean;
        };
        ConsoleRecoveryCodes: {
            /** @description Each works once; shown only now. */
            recovery_codes: string[];
        };
        ConsoleReplayPreview: {
            matched: number;
            sample: components["schemas"]["Delivery"][];
        };
        ConsoleRequestList: {
            requests: components["schemas"]["ConsoleLoggedRequest"][];
            pagination: components["schemas"]["Pagination"];
            /**
             * @description Which calls are kept (`POSTERN_REQUEST_LOG`).
             * @enum {string}
             */
            keeps: "all" | "refused" | "off";
        };
        ConsoleRoleChange: {
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
        };
        ConsoleSandboxAct: {
            number_id: string;
            /** @description The phone number of the simulated customer. */
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
                /** @description A tiny sample without it. */
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
                /**
                 * @description What was filled in: a Flow, or the form for an address.
                 * @enum {string}
                 */
                name: "flow" | "address_message";
                answers: {
                    [key: string]: unknown;
                };
                message_id: string;
            } | {
                /** @enum {string} */
                kind: "order";
                catalog_id: string;
                /** @description One piece of each. */
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
            };
        };
        ConsoleSandboxActed: {
            message_id: string;
        };
        ConsoleSandboxBehaviour: {
            number_id: string;
            /**
             * @description What the next message will do; afterwards messages are read again.
             * @enum {string}
             */
            next: "read" | "delivered" | "sent" | "unreachable" | "fails_after_sent" | "rate_limited" | "no_answer";
            /** @description Between one status and the next. */
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
            /** @description A sandbox runs beside this gateway; a number of it can be connected. */
            available: boolean;
        };
        ConsoleSandboxNewCustomer: {
            number_id: string;
            /** @description The phone number of the simulated customer. */
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
                /**
                 * @description What the next message will do; afterwards messages are read again.
                 * @enum {string}
                 */
                next: "read" | "delivered" | "sent" | "unreachable" | "fails_after_sent" | "rate_limited" | "no_answer";
                /** @description Between one status and the next. */
                delay_ms: number;
                read_receipts: boolean;
            };
        };
        ConsoleSandboxWindow: {
            number_id: string;
            /** @description The phone number of the simulated customer. */
            customer: string;
            /** @enum {string} */
            state: "open" | "closed";
        };
        ConsoleSendAgain: {
            /** @description Another customer than the first time. */
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
                /**
                 * @description `setup_required`: the account requires it, and all other routes reject requests until it is set up.
                 * @enum {string}
                 */
                two_factor: "on" | "off" | "setup_required";
            };
            account: {
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "starter" | "professional" | "enterprise";
                status: string;
                /** @description Messages that name no number go to the sandbox. */
                sandbox: boolean;
                /** @description Members without two-factor sign-in must set it up. */
                two_factor_required: boolean;
            };
            /** @description What the role may do. */
            actions: ("account:write" | "analytics:read" | "audit:read" | "blocked:read" | "blocked:write" | "channel:read" | "channel:write" | "conversations:read" | "conversations:write" | "customers:erase" | "customers:read" | "customers:write" | "keys:read" | "keys:write" | "logs:read" | "media:write" | "members:read" | "members:write" | "messages:read" | "messages:send" | "pii:read" | "profile:read" | "profile:write" | "sandbox:use" | "templates:read" | "templates:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** @description Names of the people to ask for more. */
            owners: string[];
            /**
             * Format: date-time
             * @description Signed out then, unless something happens before.
             */
            ends_at: string;
            /** @description False in the last hours of the 7 days: nothing puts the end off. */
            extendable: boolean;
            /** @description Where clients reach the API; for code samples. */
            base_url: string;
            version: string;
        };
        ConsoleSessionList: {
            sessions: {
                id: string;
                user_id: string;
                user_name: string;
                current: boolean;
                ip: string | null;
                user_agent: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_seen_at: string;
            }[];
        };
        ConsoleSetupLink: {
            /** @enum {string} */
            purpose: "owner" | "invite" | "reset";
            account_name: string;
            /** @description Null until a person has taken over the record. */
            name: string | null;
            /** @description Null: the person chooses it. */
            email: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "support" | "viewer";
            /** @description Setting a password needs a code too. */
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
            /** @description Where it stands. */
            text: string | null;
            optional: boolean;
            /** @description The latest rejected call, while no key has been used. */
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
        ConsoleSignatureToCheck: {
            /** @description The header webhook-id. */
            id: string;
            /** @description The header webhook-timestamp. */
            timestamp: string;
            /** @description The header webhook-signature. */
            signature: string;
            /** @description The body, byte for byte. */
            body: string;
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
        ConsoleTwoFactorConfirmation: {
            code: string;
        };
        ConsoleTwoFactorRule: {
            required: boolean;
        };
        ConsoleTwoFactorSetup: {
            /** @description Base32, for typing. */
            secret: string;
            /** @description The same for a QR code: `otpauth://totp/…`. */
            uri: string;
        };
        ConsoleTwoFactorState: {
            /**
             * Format: date-time
             * @description Null while it is off.
             */
            since: string | null;
            recovery_codes_left: number;
        };
        ConsoleUsage: {
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            limits: components["schemas"]["ConsoleLimits"];
            /** @description Bytes of stored files; `quota` is null without a limit. */
            media_bytes: {
                quota: number | null;
                used: number;
            };
            /** @description The last 24 UTC hours, the running one last. */
            hours: {
                /** Format: date-time */
                start: string;
                used: number;
            }[];
            /** @description The last 30 UTC days, today last. */
            days: {
                /** Format: date-time */
                start: string;
                used: number;
            }[];
        };
        ConsoleWebhookDetail: {
            webhook: components["schemas"]["Webhook"];
            /** @description Deliveries that wait for their next attempt. */
            pending: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description No attempt has succeeded since.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until then the old secret signs beside the new one.
             */
            previous_secret_until: string | null;
            /** @description The last 24 hours, the running one last. */
            hours: {
                /** Format: date-time */
                start: string;
                delivered: number;
                failed: number;
            }[];
            /** @description Of the latest attempts. */
            duration_ms_p95: number | null;
        };
        ConsoleWebhookStanding: {
            webhook: components["schemas"]["Webhook"];
            /** @description Deliveries that wait for their next attempt. */
            pending: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description No attempt has succeeded since.
             */
            failing_since: string | null;
        };
        ConsoleWebhookStandings: {
            webhooks: components["schemas"]["ConsoleWebhookStanding"][];
            webhooks_max: number;
            listeners: components["schemas"]["ConsoleListener"][];
        };
        /**
         * @description What to do with the conversation.
         * @example {
         *       "action": "pass",
         *       "role": "customer_service",
         *       "note": "Wants to talk to a person."
         *     }
         */
        ControlRequest: {
            /** @description The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /**
             * @description `pass` gives the conversation to another responder, `release` lets Meta route the customer's next message. `take` is for the escalation partner alone.
             * @enum {string}
             */
            action: "pass" | "release" | "take";
            /** @description Who gets the conversation with `pass`. Default: the escalation partner. */
            role?: ("ai_agent" | "ctwa" | "customer_service" | "escalation" | "marketing" | "utility") | null;
            /** @description For the next responder. */
            note?: string | null;
        };
        /** @description Who replies in a conversation, as far as Meta has told. */
        ConversationControl: {
            /**
             * @description The customer, as given.
             * @example +12025550100
             */
            customer_id: string;
            /**
             * @description Your number.
             * @example +351210000000
             */
            phone_number: string;
            /**
             * @description `gateway`: you. `other`: another responder; a free-form message is rejected with `thread_owned_elsewhere`, a template is not. `nobody`: the next message decides.
             * @example gateway
             * @enum {string}
             */
            owner: "gateway" | "other" | "nobody";
            /**
             * @description What Meta calls the other responder, such as `ai_agent`; null if it did not say.
             * @example null
             */
            role: string | null;
            /**
             * Format: date-time
             * @description Since when, if known.
             */
            since: string | null;
            /**
             * @description Another responder was seen in this conversation.
             * @example false
             */
            shared: boolean;
            /**
             * @description What the previous responder wrote for you.
             * @example null
             */
            summary: string | null;
        };
        /** @description The webhook that was created. */
        CreatedWebhook: {
            /**
             * @description Id of the webhook, `whk_…`.
             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Address of the receiver.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Event types the webhook gets.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events: string[];
            /**
             * @description Whether events are delivered.
             * @example true
             */
            active: boolean;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
        };
        /** @description A customer, and what each of your numbers knows of them. */
        Customer: {
            /**
             * @description Id of the customer, which stays when their number or user id changes.
             * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            customer_id: string;
            /**
             * @description Name in their WhatsApp profile, if they have written.
             * @example Ana
             */
            name: string | null;
            /**
             * @description Where to send to: the number they have now, otherwise their user id.
             * @example +12025550100
             */
            address: string | null;
            /** @description Every address the customer is known by. */
            addresses: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example +12025550100
                 */
                address: string;
                /**
                 * @description What it is at WhatsApp.
                 * @enum {string}
                 */
                kind: "phone_number" | "user_id" | "parent_user_id";
                /**
                 * @description False for one that the customer had before.
                 * @example true
                 */
                current: boolean;
                /**
                 * Format: date-time
                 * @description Since when it is known as theirs.
                 */
                since: string;
            }[];
            /**
             * Format: date-time
             * @description When they last wrote, or were written to; the latter is noted once an hour.
             */
            active_at: string;
            /**
             * Format: date-time
             * @description When they were first heard of.
             */
            created_at: string;
            /** @description Numbers that the customer wrote to, or said something about. */
            numbers: {
                /**
                 * @description Your number; null for one that is no longer known.
                 * @example +15550100001
                 */
                phone_number: string | null;
                /**
                 * Format: date-time
                 * @description When the customer last wrote to it.
                 */
                last_inbound_at: string | null;
                /** @description 24-hour window that opens with each message of the customer. */
                window: {
                    /**
                     * @description Whether you may send more than templates now.
                     * @enum {string}
                     */
                    state: "open" | "closed" | "unknown";
                    /**
                     * Format: date-time
                     * @description 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen.
                     */
                    expires_at: string | null;
                };
                /** @description Whether the customer accepts marketing messages from it. */
                marketing: {
                    /**
                     * @description What was said last.
                     * @example opted_in
                     * @enum {string}
                     */
                    state: "opted_out" | "opted_in" | "unknown";
                    /**
                     * Format: date-time
                     * @description When it was said.
                     */
                    since: string | null;
                    /**
                     * @description `whatsapp`, `keyword`, `console` or `api`: where it was said or recorded.
                     * @example api
                     */
                    source: string | null;
                    /**
                     * @description Who recorded it; null when the customer said it.
                     * @example Newsletter form
                     */
                    recorded_by: string | null;
                };
            }[];
            /**
             * @description The gateway itself rejects marketing to customers who opted out.
             * @example true
             */
            marketing_enforced: boolean;
            /** @description The newest message in either direction. */
            last_message: {
                /**
                 * @description Id of the message.
                 * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
                 */
                message_id: string;
                /**
                 * @description `outbound` is sent by you.
                 * @enum {string}
                 */
                direction: "outbound" | "inbound";
                /**
                 * @description Type of the message.
                 * @example text
                 */
                type: string;
                /**
                 * @description Status of the message.
                 * @example delivered
                 */
                status: string;
                /**
                 * Format: date-time
                 * @description When the gateway got it.
                 */
                created_at: string;
            } | null;
        };
        /** @description A page of customers. */
        CustomerList: {
            /** @description The customers of this page. */
            customers: components["schemas"]["CustomerListItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A customer in a list. */
        CustomerListItem: {
            /**
             * @description Id of the customer, which stays when their number or user id changes.
             * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            customer_id: string;
            /**
             * @description Name in their WhatsApp profile, if they have written.
             * @example Ana
             */
            name: string | null;
            /**
             * @description Where to send to: the number they have now, otherwise their user id.
             * @example +12025550100
             */
            address: string | null;
            /** @description Every address the customer is known by. */
            addresses: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example +12025550100
                 */
                address: string;
                /**
                 * @description What it is at WhatsApp.
                 * @enum {string}
                 */
                kind: "phone_number" | "user_id" | "parent_user_id";
                /**
                 * @description False for one that the customer had before.
                 * @example true
                 */
                current: boolean;
                /**
                 * Format: date-time
                 * @description Since when it is known as theirs.
                 */
                since: string;
            }[];
            /**
             * Format: date-time
             * @description When they last wrote, or were written to; the latter is noted once an hour.
             */
            active_at: string;
            /**
             * Format: date-time
             * @description When they were first heard of.
             */
            created_at: string;
        };
        /**
         * @description What the customer said about marketing messages.
         * @example {
         *       "marketing": "opted_in"
         *     }
         */
        CustomerPreferenceRequest: {
            /**
             * @description `opted_in` records consent to marketing messages, `opted_out` withdraws it.
             * @example opted_in
             * @enum {string}
             */
            marketing: "opted_in" | "opted_out";
            /** @description One of your numbers, or its id. Default: all of them. */
            from?: string | null;
        };
        /**
         * @description A customer who may not be known yet.
         * @example {
         *       "address": "+12025550100"
         *     }
         */
        CustomerRequest: {
            /**
             * @description Phone number with + and country code, or the user id of a customer who hides the number.
             * @example +12025550100
             */
            address: string;
        };
        /** @description The template that was deleted. */
        DeletedTemplate: {
            /**
             * @description Id of the template.
             * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Always true.
             * @enum {boolean}
             */
            deleted: true;
        };
        /** @description One event for one webhook. */
        Delivery: {
            /**
             * @description Id of the delivery.
             * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Id of the event.
             * @example evt_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            event_id: string;
            /**
             * @description Type of the event.
             * @example message.delivered
             */
            type: string;
            /**
             * @description Id of the message the event is about.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string | null;
            /**
             * @description `held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver returned 410, or the webhook was deleted. `expired`: it waited for as long as events are kept. A replay also sends what failed, was skipped, cancelled or expired.
             * @example delivered
             * @enum {string}
             */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            /**
             * @description Attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the event was queued for the webhook.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the next attempt follows, if one does.
             * @example null
             */
            next_attempt_at: string | null;
        };
        /** @description One attempt to deliver an event. */
        DeliveryAttempt: {
            /**
             * @description Id of the attempt.
             * @example att_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Number of the attempt, from 1.
             * @example 1
             */
            number: number;
            /**
             * @description What started the attempt.
             * @enum {string}
             */
            trigger: "schedule" | "manual" | "replay" | "test";
            /**
             * @description Address it was sent to.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 84
             */
            duration_ms: number;
            /**
             * @description HTTP status of the response; null when there was none.
             * @example 200
             */
            status_code: number | null;
            /**
             * @description Why there was no response, for example `timeout`.
             * @example null
             */
            error_code: string | null;
            /**
             * @description More about the error.
             * @example null
             */
            error_message: string | null;
            /**
             * @description Address the receiver had.
             * @example 203.0.113.7
             */
            remote_ip: string | null;
            /**
             * @description Headers of the request. `webhook-signature` is missing if the request was unsigned, if the webhook has changed since, or if the event is no longer kept.
             * @example {
             *       "webhook-id": "evt_01ka3m7y3t4d0v9v4k6q1t7r2c",
             *       "webhook-timestamp": "1794738602"
             *     }
             */
            request_headers: {
                [key: string]: string;
            };
            /**
             * @description Headers of the response; empty for a first attempt that succeeded.
             * @example {
             *       "content-type": "text/plain"
             *     }
             */
            response_headers: {
                [key: string]: string;
            };
            /**
             * @description The first 4 KiB of the response; null for a first attempt that succeeded.
             * @example ok
             */
            response_body: string | null;
            /**
             * Format: date-time
             * @description When the next attempt follows, if one does.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * @description True when the attempt ended after another process had taken over the delivery. Such an attempt is not counted.
             * @example false
             */
            late: boolean;
        };
        /** @description A delivery with its body and its attempts. */
        DeliveryWithAttempts: {
            /**
             * @description Id of the delivery.
             * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Id of the event.
             * @example evt_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            event_id: string;
            /**
             * @description Type of the event.
             * @example message.delivered
             */
            type: string;
            /**
             * @description Id of the message the event is about.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string | null;
            /**
             * @description `held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver returned 410, or the webhook was deleted. `expired`: it waited for as long as events are kept. A replay also sends what failed, was skipped, cancelled or expired.
             * @example delivered
             * @enum {string}
             */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            /**
             * @description Attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the event was queued for the webhook.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the next attempt follows, if one does.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * @description The exact text that is sent and signed; null when it is no longer kept.
             * @example {"id":"evt_01ka3m7y3t4d0v9v4k6q1t7r2c","type":"message.delivered","api_version":"v1","data":{"sequence":2}}
             */
            request_body: string | null;
            /** @description Every attempt, in order. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description The response with `dry_run=true`: what would happen. Nothing was sent. */
        DryRun: {
            /**
             * @description Always true.
             * @enum {boolean}
             */
            dry_run: true;
            /** @description Whether the same request without `dry_run` would be sent now. */
            would_send: boolean;
            /** @description Type of the message that would be sent. */
            type: string | null;
            /** @description `text` or `template`, when the request has a `fallback`. */
            used: string | null;
            /** @description 24-hour window that opens with each message of the customer. */
            window: {
                /**
                 * @description Whether you may send more than templates now.
                 * @enum {string}
                 */
                state: "open" | "closed" | "unknown";
                /**
                 * Format: date-time
                 * @description 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen.
                 */
                expires_at: string | null;
            } | null;
            /** @description The template that would be sent. */
            template: {
                /** @description Name of the template. */
                name: string;
                /** @description Language of the template. */
                language: string;
                /** @description Category of the template, which sets its price. */
                category: string;
            } | null;
            /** @description The file that would be sent. */
            media: components["schemas"]["MediaFile"] | null;
            /** @description The message as the customer would see it. */
            content: {
                [key: string]: unknown;
            } | null;
            /** @description What is left of the plan; null on a plan without limits. */
            quota: {
                /** @description Requests left in this hour. */
                hour_remaining: number;
                /** @description Requests left in this day. */
                day_remaining: number;
            } | null;
            /** @description Rate limit of your number; null when it is not known. */
            pace: {
                /** @description Messages per second that Meta allows the number. */
                sends_per_second: number;
                /** @description How long the message would wait now, in milliseconds. */
                wait_ms: number;
            } | null;
            /** @description Why the message would not be sent; empty when it would. */
            problems: {
                /** @description Error code the send would be rejected with. */
                code: string;
                /** @description What is wrong, in one sentence. */
                message: string;
                /** @description The wrong fields. */
                details: components["schemas"]["ErrorDetail"][];
            }[];
        };
        /** @description The body of every error. */
        ErrorAnswer: {
            /**
             * @description Always false.
             * @enum {boolean}
             */
            success: false;
            /** @description Always null. */
            data: null;
            error: components["schemas"]["ApiError"];
        };
        /** @description One wrong field of the request. */
        ErrorDetail: {
            /** @description Dotted path with indexes, for example components[1].parameters[0].text. */
            field: string;
            /**
             * @description The part of the request the field is in.
             * @enum {string}
             */
            location: "body" | "query" | "path" | "header";
            /**
             * @description What is wrong with the field.
             * @enum {string}
             */
            code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_short" | "too_long" | "out_of_range" | "too_many_items" | "duplicate" | "invalid_phone_number" | "invalid_language" | "invalid_url" | "https_required" | "mutually_exclusive" | "one_of_required" | "invalid_secret";
            /** @description How to write the field, in one sentence. */
            message: string;
            /** @description The value that was sent; only short values that are not secret. */
            received?: string;
            /** @description A correct value to copy. */
            example?: unknown;
        };
        /** @description A message template in one language, with its use. */
        ListedTemplate: {
            /**
             * @description Id of the template.
             * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Name of the template.
             * @example order_ready
             */
            name: string;
            /**
             * @description Language code.
             * @example en_US
             */
            language: string;
            /**
             * @description Category, which sets the price of a message.
             * @example utility
             * @enum {string}
             */
            category: "marketing" | "utility" | "authentication";
            /**
             * @description Category that Meta has announced for the template; null when there is none.
             * @example null
             */
            next_category: ("marketing" | "utility" | "authentication") | null;
            /**
             * @description Only an `approved` template can be sent; it stays approved while an edit of it is under review.
             * @example approved
             * @enum {string}
             */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            /**
             * @description Why the template was rejected, paused or disabled; null otherwise.
             * @example null
             */
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            /** @description Quality rating by Meta, if there is one. */
            quality: ("high" | "medium" | "low") | null;
            /**
             * @description Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`).
             * @example api
             * @enum {string}
             */
            source: "catalog" | "api" | "platform";
            /** @description Where the template exists: in the `sandbox` or at Meta (`cloud`). */
            channel: ("sandbox" | "cloud") | null;
            /**
             * @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases.
             * @enum {string}
             */
            parameter_format: "positional" | "named";
            /** @description The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** @description Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /**
             * @description How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default.
             * @example null
             */
            message_send_ttl_seconds: number | null;
            /**
             * @description The edit of an approved template that Meta is reviewing; null when there is none. Sends use the approved content until the review is over.
             * @example null
             */
            pending_edit: components["schemas"]["TemplatePendingEdit"] | null;
            /**
             * @description Version of the content; each change of the content adds 1.
             * @example 1
             */
            version: number;
            /**
             * @description Id of the template at Meta.
             * @example 1234567890123456
             */
            channel_template_id: string | null;
            /**
             * Format: date-time
             * @description When the gateway first recorded the template.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the template last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the template was last submitted for review.
             */
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description When Meta last decided about the template.
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @description When the template was last sent.
             */
            last_used_at: string | null;
            last_7_days: components["schemas"]["TemplateUsage"];
        };
        /** @description A stored file, without its bytes. */
        MediaFile: {
            /**
             * @description Id of the file.
             * @example med_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            media_id: string;
            /**
             * @description Kind of file.
             * @example document
             * @enum {string}
             */
            type: "image" | "document" | "audio" | "video" | "sticker";
            /**
             * @description MIME type, found from the bytes; of a file from a customer, as Meta gives it.
             * @example application/pdf
             */
            mime_type: string;
            /**
             * @description Name of the file, if it has one.
             * @example receipt.pdf
             */
            filename: string | null;
            /**
             * @description Size in bytes; null while a file of a customer is being fetched.
             * @example 48213
             */
            size: number | null;
            /**
             * @description SHA-256 of the bytes, hexadecimal; null while a file of a customer is being fetched.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string | null;
            /**
             * Format: date-time
             * @description When the gateway got the file.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the gateway deletes the file; null when it is kept.
             */
            expires_at: string | null;
        };
        /** @description Where the page is in the whole list. */
        Pagination: {
            /**
             * @description Entries per page, as requested.
             * @example 25
             */
            limit: number;
            /**
             * @description Whether another page follows; it can be empty.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Send it as `cursor` to get the next page; null on the last page.
             * @example null
             */
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description Only on a page whose search ended before the page was full: entries up to this time were searched, and the next page continues there.
             */
            searched_back_to?: string;
        };
        /** @description What a replay will deliver again. */
        Replay: {
            /**
             * @description Id of the replay.
             * @example rpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            replay_id: string;
            /**
             * @description Events that match the request.
             * @example 12
             */
            matched: number;
            /**
             * @description Deliveries that were queued, at most 10,000 per call.
             * @example 12
             */
            queued: number;
        };
        /**
         * @description Which events to deliver again.
         * @example {
         *       "since": "2026-11-15T10:00:00Z",
         *       "status": "failed"
         *     }
         */
        ReplayRequest: {
            /**
             * @description Replays events recorded at or after this time.
             * @example 2026-11-15T10:00:00Z
             */
            since: string;
            /**
             * @description Replays events recorded before this time. Default: now.
             * @example 2026-11-15T10:00:00Z
             */
            until?: string | null;
            /** @description `failed` replays only what did not arrive, `all` everything. Default: `failed`. */
            status?: ("failed" | "all") | null;
            /**
             * @description Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*")[] | "*"[]) | null;
        };
        /**
         * @description May be empty: the gateway creates the new secret.
         * @example {
         *       "overlap_seconds": 3600
         *     }
         */
        RotateRequest: {
            /**
             * @description Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string | null;
            /**
             * @description How long the old secret also signs, in seconds. Default: 86400, a day.
             * @example 3600
             */
            overlap_seconds?: number | null;
        };
        /** @description The new signing secret of the webhook. */
        RotatedSecret: {
            /**
             * @description Id of the webhook, `whk_…`.
             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description The new secret. It is not shown again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @description Until when the old secret also signs; null when there was none.
             */
            previous_secret_expires_at: string | null;
            /**
             * @description At most two secrets sign. True when a third, of an earlier rotation, still signed: this call ended it early.
             * @example false
             */
            earlier_secret_ended: boolean;
        };
        /**
         * @description Contact cards.
         * @example {
         *       "to": "+12025550100",
         *       "contacts": [
         *         {
         *           "name": {
         *             "formatted_name": "Ana Silva",
         *             "first_name": "Ana",
         *             "last_name": "Silva"
         *           },
         *           "phones": [
         *             {
         *               "phone": "+351 912 345 678",
         *               "type": "WORK",
         *               "wa_id": "351912345678"
         *             }
         *           ],
         *           "org": {
         *             "company": "Acme",
         *             "title": "Support"
         *           }
         *         }
         *       ]
         *     }
         */
        SendContacts: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** @description One to 257 contact cards. */
            contacts: {
                /** @description Name of the contact. */
                name: {
                    /** @description Full name, as WhatsApp shows it. */
                    formatted_name: string;
                    /** @description First name. */
                    first_name?: string | null;
                    /** @description Last name. */
                    last_name?: string | null;
                    /** @description Middle name. */
                    middle_name?: string | null;
                    /** @description Title before the name, such as Dr. */
                    prefix?: string | null;
                    /** @description Addition after the name, such as Jr. */
                    suffix?: string | null;
                };
                /** @description Phone numbers. */
                phones?: {
                    /** @description The number, as it is shown. */
                    phone: string;
                    /** @description Kind of number, such as `MOBILE` or `WORK`. */
                    type?: string | null;
                    /** @description The number on WhatsApp, in digits with the country code: the card then offers to write to it. */
                    wa_id?: string | null;
                }[] | null;
                /** @description Email addresses. */
                emails?: {
                    /** @description The address. */
                    email: string;
                    /** @description Kind of address, such as `WORK`. */
                    type?: string | null;
                }[] | null;
                /** @description Where the contact works. */
                org?: {
                    /** @description Name of the company. */
                    company?: string | null;
                    /** @description Name of the department. */
                    department?: string | null;
                    /** @description Position in the company. */
                    title?: string | null;
                } | null;
                /** @description Websites. */
                urls?: {
                    /** @description The address. */
                    url: string;
                    /** @description Kind of website, such as `WORK`. */
                    type?: string | null;
                }[] | null;
            }[];
        };
        /**
         * @description An interactive message.
         * @example {
         *       "to": "+12025550100",
         *       "type": "buttons",
         *       "body": "Is the delivery tomorrow at ten all right?",
         *       "buttons": [
         *         {
         *           "id": "yes",
         *           "title": "Yes"
         *         },
         *         {
         *           "id": "later",
         *           "title": "Later, please"
         *         }
         *       ]
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "list",
         *       "body": "What is it about?",
         *       "button": "Choose",
         *       "sections": [
         *         {
         *           "rows": [
         *             {
         *               "id": "order",
         *               "title": "My order",
         *               "description": "Where it is, when it comes"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "quick_replies",
         *       "body": "How was it?",
         *       "replies": [
         *         "Great",
         *         "So so",
         *         "Bad"
         *       ]
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "cta_url",
         *       "body": "Your order is on its way.",
         *       "button": "Track it",
         *       "url": "https://shop.example/orders/A-1001"
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "location_request",
         *       "body": "Where shall we deliver it?"
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "flow",
         *       "body": "Choose a time that suits you.",
         *       "button": "Book",
         *       "flow": {
         *         "id": "1197715005513101",
         *         "token": "A-1001",
         *         "screen": "BOOKING",
         *         "screen_data": {
         *           "days": [
         *             "Mon",
         *             "Tue"
         *           ]
         *         }
         *       }
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "product",
         *       "body": "The one you asked about.",
         *       "catalog_id": "194836987003835",
         *       "product_id": "SKU-10"
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "product_list",
         *       "header": {
         *         "type": "text",
         *         "text": "For your garden"
         *       },
         *       "body": "These are in stock.",
         *       "catalog_id": "194836987003835",
         *       "product_sections": [
         *         {
         *           "title": "Pots",
         *           "product_ids": [
         *             "SKU-10",
         *             "SKU-11"
         *           ]
         *         }
         *       ]
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "catalog",
         *       "body": "All we have.",
         *       "thumbnail_product_id": "SKU-10"
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "carousel",
         *       "body": "Two of our latest.",
         *       "cards": [
         *         {
         *           "header": {
         *             "type": "image",
         *             "link": "https://shop.example/echeveria.jpeg"
         *           },
         *           "body": "*echeveria*",
         *           "button": "Buy now",
         *           "url": "https://shop.example/echeveria"
         *         },
         *         {
         *           "header": {
         *             "type": "image",
         *             "link": "https://shop.example/haworthia.jpeg"
         *           },
         *           "body": "*haworthia*",
         *           "button": "Buy now",
         *           "url": "https://shop.example/haworthia"
         *         }
         *       ]
         *     }
         * @example {
         *       "to": "+919876543210",
         *       "type": "address",
         *       "body": "Where shall we deliver it?",
         *       "address": {
         *         "country": "IN",
         *         "values": {
         *           "name": "Asha",
         *           "in_pin_code": "400063"
         *         }
         *       }
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "product_carousel",
         *       "body": "Two of our latest.",
         *       "catalog_id": "194836987003835",
         *       "product_ids": [
         *         "SKU-10",
         *         "SKU-11"
         *       ]
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "contact_info",
         *       "body": "May we have your phone number, for the delivery?"
         *     }
         * @example {
         *       "to": "+12025550100",
         *       "type": "call_permission",
         *       "body": "May we call you about your order?"
         *     }
         */
        SendInteractive: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /**
             * @description Type of the message. Beside `body`, `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`, `cta_url` needs `button` and `url`, `flow` needs `button` and `flow`, `product` needs `catalog_id` and `product_id`, `product_list` needs `header`, `catalog_id` and `product_sections`, `catalog` may have `thumbnail_product_id`, `product_carousel` needs `catalog_id` and `product_ids`, `carousel` needs `cards`, `address` needs `address`, and `location_request`, `call_permission` and `contact_info` need nothing. `body` may be left out of `product` and `call_permission`.
             * @enum {string}
             */
            type: "buttons" | "list" | "quick_replies" | "cta_url" | "location_request" | "flow" | "product" | "product_list" | "catalog" | "product_carousel" | "carousel" | "address" | "call_permission" | "contact_info";
            /** @description Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible. */
            direct_send?: {
                /**
                 * @description What the message is: `utility`, or `authentication` for a one-time code as a text.
                 * @enum {string}
                 */
                category: "utility" | "authentication";
                /** @description How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status. */
                ttl_seconds?: number | null;
                /** @description Name of the template that Meta makes of a `utility` message. Default: one of its own. */
                template_name?: string | null;
            } | null;
            /** @description Header above the text: a text or a file. Lists have text headers only; all requests, products, catalogs and carousels have none. */
            header?: ({
                /**
                 * @description A header of text.
                 * @enum {string}
                 */
                type: "text";
                /** @description Text of the header, at most 60 characters. */
                text: string;
            } | {
                /**
                 * @description A header with a file.
                 * @enum {string}
                 */
                type: "image" | "video" | "document";
                /** @description Id of an uploaded file. Give either `media_id` or `link`. */
                media_id?: string | null;
                /** @description Public https address of the file. */
                link?: string | null;
                /** @description Name of a document. */
                filename?: string | null;
            }) | null;
            /** @description The text of the message. Only `product` and `call_permission` can be sent without. */
            body?: string | null;
            /** @description Small text below the message, at most 60 characters; not below a request or a carousel. */
            footer?: string | null;
            /** @description One to three buttons. */
            buttons?: {
                /** @description Your id of the button; the reply of the customer has it. */
                id: string;
                /** @description Text on the button, at most 20 characters. */
                title: string;
            }[] | null;
            /** @description Text on the button that opens the list, the page or the Flow: at most 20 characters, for a Flow 30 without emoji. */
            button?: string | null;
            /** @description Address of the page that the button opens. */
            url?: string | null;
            /** @description The Flow that the button opens. */
            flow?: {
                /** @description Id of the Flow at Meta. Give either `id` or `name`. */
                id?: string | null;
                /** @description Name of the Flow. */
                name?: string | null;
                /** @description Your own id of this use of the Flow; the answers of the customer have it as `flow_token`. */
                token?: string | null;
                /** @description `draft` tries out a Flow that is not published. Default: `published`. */
                mode?: ("published" | "draft") | null;
                /** @description `navigate` opens a screen, `data_exchange` asks the endpoint of the Flow for the first one. Default: `navigate`. */
                action?: ("navigate" | "data_exchange") | null;
                /** @description Id of the screen to open. Default: the first one of the Flow. */
                screen?: string | null;
                /** @description Values for the screen, by the names that the Flow gave them. */
                screen_data?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            /** @description Sections of the list. */
            sections?: {
                /** @description Title of the section; needed when there are several. */
                title?: string | null;
                /** @description Rows of the section; a list has at most ten in all. */
                rows: {
                    /** @description Your id of the row; the reply of the customer has it. */
                    id: string;
                    /** @description Title of the row, at most 24 characters. */
                    title: string;
                    /** @description Second line of the row, at most 72 characters. */
                    description?: string | null;
                }[];
            }[] | null;
            /** @description Id of the catalog that is connected to the WhatsApp Business account. */
            catalog_id?: string | null;
            /** @description Id of the product in the catalog: its SKU, or content id. */
            product_id?: string | null;
            /** @description Two to ten products of the catalog, each on a card of its own. */
            product_ids?: string[] | null;
            /** @description One to ten sections of products. */
            product_sections?: {
                /** @description Title of the section, at most 24 characters; needed when there are several. */
                title?: string | null;
                /** @description Ids of the products; a list has at most 30 in all. */
                product_ids: string[];
            }[] | null;
            /** @description Id of the product whose picture stands for the catalog. */
            thumbnail_product_id?: string | null;
            /** @description Two to ten cards, which look alike. */
            cards?: {
                /** @description File above the card; all cards have the same type. */
                header: {
                    /**
                     * @description Type of the file.
                     * @enum {string}
                     */
                    type: "image" | "video";
                    /** @description Id of an uploaded file. Give either `media_id` or `link`. */
                    media_id?: string | null;
                    /** @description Public https address of the file. */
                    link?: string | null;
                };
                /** @description Text of the card, at most 160 characters and two line breaks. */
                body?: string | null;
                /** @description Text on the button that opens `url`, at most 20 characters. */
                button?: string | null;
                /** @description Address of the page that the button opens. */
                url?: string | null;
                /** @description Instead of `button` and `url`: one to three buttons that answer, as many on every card. */
                buttons?: {
                    /** @description Your id of the button; the reply of the customer has it. */
                    id: string;
                    /** @description Text on the button, at most 20 characters. */
                    title: string;
                }[] | null;
            }[] | null;
            /** @description The form for an address; for businesses and customers in India only. */
            address?: {
                /**
                 * @description Country of the address: India.
                 * @enum {string}
                 */
                country: "IN";
                /** @description Values that the form begins with. */
                values?: {
                    /** @description Value of `name`. */
                    name?: string | null;
                    /** @description Value of `phone_number`. */
                    phone_number?: string | null;
                    /** @description Value of `in_pin_code`. */
                    in_pin_code?: string | null;
                    /** @description Value of `house_number`. */
                    house_number?: string | null;
                    /** @description Value of `floor_number`. */
                    floor_number?: string | null;
                    /** @description Value of `tower_number`. */
                    tower_number?: string | null;
                    /** @description Value of `building_name`. */
                    building_name?: string | null;
                    /** @description Value of `address`. */
                    address?: string | null;
                    /** @description Value of `landmark_area`. */
                    landmark_area?: string | null;
                    /** @description Value of `city`. */
                    city?: string | null;
                    /** @description Value of `state`. */
                    state?: string | null;
                } | null;
                /** @description Addresses that you know of this customer, to choose from. */
                saved_addresses?: {
                    /** @description Your id of the address; the answer has it as `saved_address_id`. */
                    id: string;
                    /** @description The address. A pin code has at most six characters. */
                    values: {
                        /** @description Value of `name`. */
                        name?: string | null;
                        /** @description Value of `phone_number`. */
                        phone_number?: string | null;
                        /** @description Value of `in_pin_code`. */
                        in_pin_code?: string | null;
                        /** @description Value of `house_number`. */
                        house_number?: string | null;
                        /** @description Value of `floor_number`. */
                        floor_number?: string | null;
                        /** @description Value of `tower_number`. */
                        tower_number?: string | null;
                        /** @description Value of `building_name`. */
                        building_name?: string | null;
                        /** @description Value of `address`. */
                        address?: string | null;
                        /** @description Value of `landmark_area`. */
                        landmark_area?: string | null;
                        /** @description Value of `city`. */
                        city?: string | null;
                        /** @description Value of `state`. */
                        state?: string | null;
                    };
                }[] | null;
                /** @description What is wrong with `values`; WhatsApp shows it at the field. */
                validation_errors?: {
                    /** @description What is wrong with `name`. */
                    name?: string | null;
                    /** @description What is wrong with `phone_number`. */
                    phone_number?: string | null;
                    /** @description What is wrong with `in_pin_code`. */
                    in_pin_code?: string | null;
                    /** @description What is wrong with `house_number`. */
                    house_number?: string | null;
                    /** @description What is wrong with `floor_number`. */
                    floor_number?: string | null;
                    /** @description What is wrong with `tower_number`. */
                    tower_number?: string | null;
                    /** @description What is wrong with `building_name`. */
                    building_name?: string | null;
                    /** @description What is wrong with `address`. */
                    address?: string | null;
                    /** @description What is wrong with `landmark_area`. */
                    landmark_area?: string | null;
                    /** @description What is wrong with `city`. */
                    city?: string | null;
                    /** @description What is wrong with `state`. */
                    state?: string | null;
                } | null;
            } | null;
            /** @description One to ten different texts of at most 20 characters. Up to three become buttons, more become a list. */
            replies?: string[] | null;
        };
        /**
         * @description A place on the map.
         * @example {
         *       "to": "+12025550100",
         *       "latitude": 38.7071,
         *       "longitude": -9.1355,
         *       "name": "Our shop",
         *       "address": "Rua Augusta 100, Lisbon"
         *     }
         */
        SendLocation: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** @description Latitude in degrees, -90 to 90. */
            latitude: number;
            /** @description Longitude in degrees, -180 to 180. */
            longitude: number;
            /** @description Name of the place. */
            name?: string | null;
            /** @description Address of the place; WhatsApp shows it below the name. */
            address?: string | null;
        };
        /**
         * @description An image, document, audio or video message.
         * @example {
         *       "to": "+12025550100",
         *       "type": "document",
         *       "media_id": "med_01ka3m7y3t4d0v9v4k6q1t7r2c",
         *       "filename": "receipt.pdf",
         *       "caption": "Your receipt"
         *     }
         */
        SendMedia: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /**
             * @description Kind of file.
             * @enum {string}
             */
            type: "image" | "document" | "audio" | "video";
            /** @description Id of an uploaded file. Give either `media_id` or `link`. */
            media_id?: string | null;
            /** @description Public https address of the file, which the gateway fetches. */
            link?: string | null;
            /** @description Text below an image, document or video; audio has none. */
            caption?: string | null;
            /** @description Name the customer sees; for documents only. */
            filename?: string | null;
            /** @description Send audio as a voice note, which WhatsApp shows as recorded; OGG with Opus only. Default: false. */
            voice?: boolean | null;
        };
        /**
         * @description An emoji on a message. A new one replaces your earlier one.
         * @example {
         *       "to": "+12025550100",
         *       "message_id": "wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2",
         *       "emoji": "👍"
         *     }
         */
        SendReaction: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: the one of the message. Default: that number. */
            from?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /**
             * @description Id of the message to react to: one of this customer, at most 30 days old.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /**
             * @description The emoji: exactly one. An empty text removes your reaction.
             * @example 👍
             */
            emoji: string;
        };
        /**
         * @description A sticker: a WebP file of at most 100 KB, animated 500 KB.
         * @example {
         *       "to": "+12025550100",
         *       "media_id": "med_01ka3m7y3t4d0v9v4k6q1t7r2c"
         *     }
         */
        SendSticker: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** @description Id of an uploaded file. Give either `media_id` or `link`. */
            media_id?: string | null;
            /** @description Public https address of the file, which the gateway fetches. */
            link?: string | null;
        };
        /**
         * @description A template message.
         * @example {
         *       "to": "+12025550100",
         *       "template": "order_confirmation",
         *       "language": "en_US",
         *       "components": [
         *         {
         *           "type": "body",
         *           "parameters": [
         *             {
         *               "type": "text",
         *               "text": "Ana"
         *             },
         *             {
         *               "type": "text",
         *               "text": "A-1001"
         *             },
         *             {
         *               "type": "text",
         *               "text": "42.00 EUR"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        SendTemplate: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /**
             * @description Name of the template.
             * @example order_confirmation
             */
            template: string;
            /**
             * @description Language code of the template.
             * @example en_US
             */
            language: string;
            /** @description Values for the template's variables: one entry for each part of the template that has some, and one for each button. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
        };
        /**
         * @description A text message.
         * @example {
         *       "to": "+12025550100",
         *       "message": "Your order A-1001 is on its way.",
         *       "client_reference": "A-1001"
         *     }
         */
        SendText: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** @description Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** @description The text, 1 to 4096 characters. */
            message: string;
            /** @description Whether WhatsApp shows a preview of the first link in the text. Default: false. */
            preview_url?: boolean | null;
            /** @description Template to send instead when the 24-hour window is closed, as Postern knows or as Meta answers; the response then has `used`. */
            fallback?: {
                /** @description Name of the template. */
                template: string;
                /**
                 * @description Language code of the template.
                 * @example en_US
                 */
                language: string;
                /** @description Values for the template's variables: one entry for each part of the template that has some, and one for each button. */
                components?: components["schemas"]["TemplateComponentValues"][] | null;
            } | null;
            /** @description Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible. */
            direct_send?: {
                /**
                 * @description What the message is: `utility`, or `authentication` for a one-time code as a text.
                 * @enum {string}
                 */
                category: "utility" | "authentication";
                /** @description How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status. */
                ttl_seconds?: number | null;
                /** @description Name of the template that Meta makes of a `utility` message. Default: one of its own. */
                template_name?: string | null;
            } | null;
        };
        /** @description The message that was sent. */
        SentOther: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /**
             * @description Phone number of the customer; null when the customer was erased meanwhile.
             * @example +12025550100
             */
            to: string | null;
            /**
             * @description Type of the message, as requested.
             * @example document
             */
            type: string;
            /**
             * @description WhatsApp accepted the message. Events report when it is delivered and read.
             * @enum {string}
             */
            status: "sent";
            /**
             * Format: date-time
             * @description When WhatsApp accepted the message.
             */
            timestamp: string;
            /**
             * @description Only the response of a dry run has this field, and there it is true.
             * @enum {boolean}
             */
            dry_run?: false;
        };
        /** @description The template message that was sent. */
        SentTemplate: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /**
             * @description Phone number of the customer; null when the customer was erased meanwhile.
             * @example +12025550100
             */
            to: string | null;
            /**
             * @description Name of the template.
             * @example order_confirmation
             */
            template: string;
            /**
             * @description WhatsApp accepted the message. Events report when it is delivered and read.
             * @enum {string}
             */
            status: "sent";
            /**
             * Format: date-time
             * @description When WhatsApp accepted the message.
             */
            timestamp: string;
            /**
             * @description Only the response of a dry run has this field, and there it is true.
             * @enum {boolean}
             */
            dry_run?: false;
        };
        /** @description The text message that was sent. */
        SentText: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /**
             * @description WhatsApp accepted the message. Events report when it is delivered and read.
             * @enum {string}
             */
            status: "sent";
            /**
             * @description Only the response of a dry run has this field, and there it is true.
             * @enum {boolean}
             */
            dry_run?: false;
            /**
             * @description What was sent; only when the request had a `fallback`.
             * @enum {string}
             */
            used?: "text" | "template";
        };
        /** @description A message template in one language. */
        Template: {
            /**
             * @description Id of the template.
             * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Name of the template.
             * @example order_ready
             */
            name: string;
            /**
             * @description Language code.
             * @example en_US
             */
            language: string;
            /**
             * @description Category, which sets the price of a message.
             * @example utility
             * @enum {string}
             */
            category: "marketing" | "utility" | "authentication";
            /**
             * @description Category that Meta has announced for the template; null when there is none.
             * @example null
             */
            next_category: ("marketing" | "utility" | "authentication") | null;
            /**
             * @description Only an `approved` template can be sent; it stays approved while an edit of it is under review.
             * @example approved
             * @enum {string}
             */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            /**
             * @description Why the template was rejected, paused or disabled; null otherwise.
             * @example null
             */
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            /** @description Quality rating by Meta, if there is one. */
            quality: ("high" | "medium" | "low") | null;
            /**
             * @description Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`).
             * @example api
             * @enum {string}
             */
            source: "catalog" | "api" | "platform";
            /** @description Where the template exists: in the `sandbox` or at Meta (`cloud`). */
            channel: ("sandbox" | "cloud") | null;
            /**
             * @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases.
             * @enum {string}
             */
            parameter_format: "positional" | "named";
            /** @description The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** @description Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /**
             * @description How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default.
             * @example null
             */
            message_send_ttl_seconds: number | null;
            /**
             * @description The edit of an approved template that Meta is reviewing; null when there is none. Sends use the approved content until the review is over.
             * @example null
             */
            pending_edit: components["schemas"]["TemplatePendingEdit"] | null;
            /**
             * @description Version of the content; each change of the content adds 1.
             * @example 1
             */
            version: number;
            /**
             * @description Id of the template at Meta.
             * @example 1234567890123456
             */
            channel_template_id: string | null;
            /**
             * Format: date-time
             * @description When the gateway first recorded the template.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the template last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the template was last submitted for review.
             */
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description When Meta last decided about the template.
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @description When the template was last sent.
             */
            last_used_at: string | null;
        };
        /** @description What a Flow starts with, or the products that a button shows. */
        TemplateActionParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "action" | "ACTION";
            /** @description `flow` takes the first two fields, `catalog` the third, `mpm` the last two. */
            action: {
                /** @description Your token for this run of the Flow. */
                flow_token?: string | null;
                /** @description The data of the first screen of the Flow. */
                flow_action_data?: {
                    [key: string]: unknown;
                } | null;
                /** @description The product whose picture the message shows. */
                thumbnail_product_retailer_id?: string | null;
                /** @description The products by section. */
                sections?: {
                    /** @description Title of the section. */
                    title: string;
                    /** @description The products, at most 30 in all sections. */
                    product_items: {
                        /**
                         * @description Id of the product, as your business named it in the catalog.
                         * @example sku-1
                         */
                        product_retailer_id: string;
                    }[];
                }[] | null;
            };
        };
        /** @description The values of the body. */
        TemplateBodyValues: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "body" | "BODY";
            /** @description The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateCurrencyParameter"] | components["schemas"]["TemplateDateTimeParameter"])[] | null;
        };
        /** @description The value of one button. */
        TemplateButtonValues: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "button" | "BUTTON";
            /**
             * @description Kind of the button; `url` also for a button that copies a one-time code. In lower case or in capital letters.
             * @enum {string}
             */
            sub_type: "url" | "URL" | "quick_reply" | "QUICK_REPLY" | "copy_code" | "COPY_CODE" | "flow" | "FLOW" | "catalog" | "CATALOG" | "mpm" | "MPM";
            /**
             * @description Position of the button, as a number or as digits; the first is 0.
             * @example 0
             */
            index: number | string;
            /** @description The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplatePayloadParameter"] | components["schemas"]["TemplateCouponCodeParameter"] | components["schemas"]["TemplateActionParameter"])[] | null;
        };
        /** @description The values of the cards of a carousel. */
        TemplateCarouselValues: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "carousel" | "CAROUSEL";
            /** @description The cards. */
            cards: {
                /** @description Position of the card; the first is 0. Default: its place in the list. */
                card_index?: number | null;
                /** @description The values of this card. */
                components?: (components["schemas"]["TemplateHeaderValues"] | components["schemas"]["TemplateBodyValues"] | components["schemas"]["TemplateButtonValues"])[];
            }[];
        };
        /**
         * @description The fields to change. Fields that are left out stay as they are.
         * @example {
         *       "components": [
         *         {
         *           "type": "body",
         *           "text": "Hello {{1}}, your order {{2}} can be collected from today.",
         *           "variables": [
         *             {
         *               "name": "name",
         *               "example": "Ana"
         *             },
         *             {
         *               "name": "order_id",
         *               "example": "A-1001"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        TemplateChanges: {
            /** @description `marketing`, `utility` or `authentication`; in either case. Default: `utility`. */
            category?: string | null;
            /** @description Text of the body; a short form for one component of type `body`. */
            body?: string | null;
            /** @description The parts of the template. */
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** @description How long Meta tries to deliver a message of it: 30 to 900 seconds for `authentication`, 30 to 43200 for `utility`, -1 for 30 days; 43200 to 2592000 for `marketing`. Default: 10 minutes for `authentication`, otherwise 30 days. */
            message_send_ttl_seconds?: number | null;
            /** @description False keeps a draft as a draft. Default: true. */
            submit?: boolean | null;
        };
        /**
         * @description One part of the template. Variables are numbered, {{1}} to {{n}}, whatever names they were written with.
         * @example {
         *       "type": "body",
         *       "text": "Hello {{1}}, your order {{2}} is ready for you."
         *     }
         */
        TemplateComponent: {
            /**
             * @description Which part of the template it is.
             * @enum {string}
             */
            type: "header" | "body" | "footer" | "buttons" | "limited_time_offer" | "carousel" | "other";
        } & {
            [key: string]: unknown;
        };
        /** @description One part of a template. */
        TemplateComponentDraft: {
            /** @description `header`, `body`, `footer`, `buttons`, `limited_time_offer` or `carousel`; in either case. */
            type: string;
            /** @description Format of a header. Default: text. */
            format?: string | null;
            /** @description Text of a header, body, footer or offer; header and body with {{1}}, {{2}} … or {{name}} for variables. */
            text?: string | null;
            /** @description A name and an example for each variable, in order. */
            variables?: (string | {
                /** @description Name of the variable, for your own use or for {{name}} in the text. */
                name?: string | null;
                /** @description Another name for `name`, as in Meta's form. */
                param_name?: string | null;
                /** @description Example value, which Meta needs for the review. */
                example?: string | null;
            })[] | null;
            /** @description Example of a media header: an object with `link`, `media_id` or `handle`. For texts Meta's own form. */
            example?: unknown;
            /** @description On a sandbox channel: a send may leave the header out. */
            optional?: boolean | null;
            /** @description In the body of an authentication template: adds the advice not to share the code. */
            add_security_recommendation?: boolean | null;
            /** @description In the footer of an authentication template: how long the code is valid. */
            code_expiration_minutes?: number | null;
            /** @description In a `limited_time_offer`: whether the message counts down to the end of the offer. Default: false. */
            has_expiration?: boolean | null;
            /** @description Meta's form of a `limited_time_offer`: an object with `text` and `has_expiration`. */
            limited_time_offer?: unknown;
            /** @description The cards of a `carousel`, 2 to 10. */
            cards?: {
                /** @description The parts of the card, as those of a template: `header`, `body` and `buttons`. */
                components: unknown[];
            }[] | null;
            /** @description The buttons of a component of type `buttons`. */
            buttons?: {
                /** @description `quick_reply`, `url`, `phone_number`, `copy_code` for a coupon, `flow`, `catalog`, `mpm` for several products, `spm` for the one of the header, `request_contact_info` to ask for the phone number, or `otp` for a one-time code; in either case. */
                type: string;
                /** @description Text on the button, at most 25 characters. Meta writes that of `copy_code` and `request_contact_info`; those of products have a default. */
                text?: string | null;
                /** @description Address of a `url` button. It may end in one variable, {{1}}. */
                url?: string | null;
                /** @description Number of a `phone_number` button, in international format. */
                phone_number?: string | null;
                /** @description Example value for the variable of the url, or example of a coupon code. */
                example?: unknown;
                /** @description Id at Meta of the published Flow that a `flow` button opens. */
                flow_id?: string | null;
                /** @description `navigate` opens a screen, `data_exchange` asks your endpoint. Default: `navigate`. */
                flow_action?: string | null;
                /** @description First screen of a Flow that is opened with `navigate`. */
                navigate_screen?: string | null;
                /** @description How an `otp` button hands over the code: `copy_code`, or to your Android app with one tap (`one_tap`) or none (`zero_tap`). Default: `copy_code`. */
                otp_type?: string | null;
                /** @description Text of the button that fills the code in, at most 25 characters. Meta has one in each language. */
                autofill_text?: string | null;
                /** @description The apps that may get the code, for `one_tap` and `zero_tap`. */
                supported_apps?: {
                    /**
                     * @description Package name of the Android app.
                     * @example com.example.shop
                     */
                    package_name: string;
                    /**
                     * @description Hash of the key it is signed with, 11 characters.
                     * @example K8a/AINcGX7
                     */
                    signature_hash: string;
                }[] | null;
                /** @description Must be true for `zero_tap`: you accept the terms of WhatsApp, and your customers expect the code to be filled in. */
                zero_tap_terms_accepted?: boolean | null;
                /** @description On a sandbox channel: a send may leave the value out. */
                optional?: boolean | null;
            }[] | null;
        };
        /** @description The values of one part of a template. */
        TemplateComponentValues: components["schemas"]["TemplateHeaderValues"] | components["schemas"]["TemplateBodyValues"] | components["schemas"]["TemplateButtonValues"] | components["schemas"]["TemplateLimitedTimeOfferValues"] | components["schemas"]["TemplateCarouselValues"];
        /** @description The code that a button copies. */
        TemplateCouponCodeParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "coupon_code" | "COUPON_CODE";
            /**
             * @description The code.
             * @example SAVE25
             */
            coupon_code: string;
        };
        /** @description An amount of money, written in the language of the template. */
        TemplateCurrencyParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "currency" | "CURRENCY";
            /** @description Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /** @description The amount. */
            currency: {
                /**
                 * @description ISO 4217 code of the currency, in capital letters.
                 * @example EUR
                 */
                code: string;
                /**
                 * @description The amount times 1000: 42.50 is 42500. It may be negative, such as for a refund.
                 * @example 42500
                 */
                amount_1000: number;
                /** @description The text to show. Default: written by Postern from code and amount. */
                fallback_value?: string | null;
            };
        };
        /** @description A date or a time, as a text. */
        TemplateDateTimeParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "date_time" | "DATE_TIME";
            /** @description Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /** @description WhatsApp shows `fallback_value`. */
            date_time: {
                /**
                 * @description The text to show.
                 * @example 18 November 2026
                 */
                fallback_value: string;
                /** @description Ignored, as Meta does. */
                day_of_week?: unknown;
                /** @description Ignored, as Meta does. */
                day_of_month?: unknown;
                /** @description Ignored, as Meta does. */
                year?: unknown;
                /** @description Ignored, as Meta does. */
                month?: unknown;
                /** @description Ignored, as Meta does. */
                hour?: unknown;
                /** @description Ignored, as Meta does. */
                minute?: unknown;
                /** @description Ignored, as Meta does. */
                calendar?: unknown;
                /** @description Ignored, as Meta does. */
                timestamp?: unknown;
            };
        };
        /** @description A document. */
        TemplateDocumentParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "document" | "DOCUMENT";
            /** @description The file. */
            document: {
                /**
                 * @description http or https address of the file. Give either `link` or `media_id`.
                 * @example https://files.example.com/a
                 */
                link?: string | null;
                /** @description Id of an uploaded file. */
                media_id?: string | null;
                /** @description Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
                /** @description Name the customer sees. */
                filename?: string | null;
            };
        };
        /**
         * @description A new template.
         * @example {
         *       "name": "order_ready",
         *       "language": "en_US",
         *       "category": "utility",
         *       "components": [
         *         {
         *           "type": "body",
         *           "text": "Hello {{1}}, your order {{2}} is ready for you.",
         *           "variables": [
         *             {
         *               "name": "name",
         *               "example": "Ana"
         *             },
         *             {
         *               "name": "order_id",
         *               "example": "A-1001"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        TemplateDraft: {
            /** @description Name of the template: lower-case letters, digits and underscores, at most 512 characters. */
            name: string;
            /**
             * @description Language code of the template.
             * @example en_US
             */
            language?: string | null;
            /** @description Whether Meta knows the variables by number or by name; `named` needs {{name}} for each of them. In either case. Default: `positional`. */
            parameter_format?: string | null;
            /** @description `marketing`, `utility` or `authentication`; in either case. Default: `utility`. */
            category?: string | null;
            /** @description Text of the body; a short form for one component of type `body`. */
            body?: string | null;
            /** @description The parts of the template. */
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** @description How long Meta tries to deliver a message of it: 30 to 900 seconds for `authentication`, 30 to 43200 for `utility`, -1 for 30 days; 43200 to 2592000 for `marketing`. Default: 10 minutes for `authentication`, otherwise 30 days. */
            message_send_ttl_seconds?: number | null;
            /** @description False keeps the template as a draft. Default: true, which submits it to Meta for review. */
            submit?: boolean | null;
        };
        /** @description The values of the header: of its text, or its file, place or product. */
        TemplateHeaderValues: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "header" | "HEADER";
            /** @description The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateImageParameter"] | components["schemas"]["TemplateVideoParameter"] | components["schemas"]["TemplateDocumentParameter"] | components["schemas"]["TemplateLocationParameter"] | components["schemas"]["TemplateProductParameter"])[] | null;
        };
        /** @description An image. */
        TemplateImageParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "image" | "IMAGE";
            /** @description The file. */
            image: {
                /**
                 * @description http or https address of the file. Give either `link` or `media_id`.
                 * @example https://files.example.com/a
                 */
                link?: string | null;
                /** @description Id of an uploaded file. */
                media_id?: string | null;
                /** @description Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
            };
        };
        /** @description The end of a limited-time offer. */
        TemplateLimitedTimeOfferParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "limited_time_offer" | "LIMITED_TIME_OFFER";
            /** @description The end. */
            limited_time_offer: {
                /**
                 * @description Milliseconds since 1970.
                 * @example 1893456000000
                 */
                expiration_time_ms: number;
            };
        };
        /** @description The end of the offer, where the message counts down to it. */
        TemplateLimitedTimeOfferValues: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "limited_time_offer" | "LIMITED_TIME_OFFER";
            /** @description The values, in the order of the template. */
            parameters?: components["schemas"]["TemplateLimitedTimeOfferParameter"][] | null;
        };
        /** @description A page of templates. */
        TemplateList: {
            /** @description The templates of this page. */
            templates: components["schemas"]["ListedTemplate"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A place on a map. */
        TemplateLocationParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "location" | "LOCATION";
            /** @description The place. */
            location: {
                /** @description Degrees north of the equator, as a number or as digits. */
                latitude: number | string;
                /** @description Degrees east of Greenwich, as a number or as digits. */
                longitude: number | string;
                /** @description Name of the place. */
                name?: string | null;
                /** @description Address of the place, shown below its name. */
                address?: string | null;
            };
        };
        /** @description The payload of a quick reply. You get it when the customer taps it. */
        TemplatePayloadParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "payload" | "PAYLOAD";
            /** @description The payload. */
            payload: string;
        };
        /** @description New content of an approved template, under review. */
        TemplatePendingEdit: {
            /**
             * @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases.
             * @enum {string}
             */
            parameter_format: "positional" | "named";
            /** @description The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** @description Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /**
             * @description How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default.
             * @example null
             */
            message_send_ttl_seconds: number | null;
            /**
             * Format: date-time
             * @description When it was submitted for review.
             */
            submitted_at: string;
        };
        /** @description The template as the customer would see it. */
        TemplatePreview: {
            header: components["schemas"]["TemplatePreviewHeader"];
            /**
             * @description The body with values.
             * @example Hello Ana, your order A-1001 is ready for you.
             */
            text: string;
            /**
             * @description The footer; null when the template has none.
             * @example null
             */
            footer: string | null;
            /** @description The limited-time offer of a template that has one. */
            offer?: {
                /** @description What is offered. */
                text: string;
                /**
                 * Format: date-time
                 * @description When the offer ends, if the message says so.
                 */
                expires_at: string | null;
            };
            /** @description The cards of a carousel, in order. */
            cards?: {
                header: components["schemas"]["TemplatePreviewHeader"];
                /** @description The body of the card with values; null when it has none. */
                text: string | null;
                /** @description The buttons, in order. */
                buttons: components["schemas"]["TemplatePreviewButton"][];
            }[];
            /** @description The buttons, in order. */
            buttons: components["schemas"]["TemplatePreviewButton"][];
        };
        /** @description A button as the customer would see it. */
        TemplatePreviewButton: {
            /**
             * @description Kind of button.
             * @example url
             */
            type: string;
            /**
             * @description Text on the button.
             * @example Track
             */
            text: string;
            /**
             * @description Address, phone number, coupon code or thumbnail product of the button, with values.
             * @example https://shop.example.com/a-1001
             */
            value: string | null;
            /** @description The products behind a button of type `mpm`. */
            sections?: {
                /** @description Title of the section. */
                title: string;
                /** @description The products of the section. */
                product_items: {
                    /** @description Your id of the product. */
                    product_retailer_id: string;
                }[];
            }[];
        };
        /**
         * @description The header; null when the template has none.
         * @example null
         */
        TemplatePreviewHeader: {
            /**
             * @description A header of text.
             * @enum {string}
             */
            kind: "text";
            /** @description The text, with values. */
            text: string;
        } | {
            /**
             * @description A header with a file.
             * @enum {string}
             */
            kind: "image" | "video" | "document";
            /** @description Address of the file. */
            link?: string;
            /** @description Id of the uploaded file. */
            media_id?: string;
            /** @description Name of a document. */
            filename?: string;
        } | {
            /**
             * @description A header with a map.
             * @enum {string}
             */
            kind: "location";
            /** @description Degrees north of the equator. */
            latitude: number;
            /** @description Degrees east of Greenwich. */
            longitude: number;
            /** @description Name of the place. */
            name?: string;
            /** @description Address of the place. */
            address?: string;
        } | {
            /**
             * @description A header with a product of the catalog.
             * @enum {string}
             */
            kind: "product";
            /** @description Your id of the product. */
            product_retailer_id: string;
            /** @description Id of the catalog at Meta. */
            catalog_id: string;
        } | null;
        /** @description A product of a catalog. */
        TemplateProductParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "product" | "PRODUCT";
            /** @description The product. */
            product: {
                /**
                 * @description Id of the product, as your business named it in the catalog.
                 * @example sku-1
                 */
                product_retailer_id: string;
                /**
                 * @description Id of the catalog.
                 * @example 194836987003835
                 */
                catalog_id: string;
            };
        };
        /** @description Why the template was rejected, paused or disabled. */
        TemplateStatusReason: {
            /** @description Reason as a code, for example `INVALID_FORMAT`. */
            code: string;
            /** @description Reason in one sentence. */
            message: string;
            /** @description What Meta recommends. */
            recommendation: string | null;
            /**
             * Format: date-time
             * @description When a pause ends.
             */
            until: string | null;
        };
        /** @description A text. */
        TemplateTextParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "text" | "TEXT";
            /** @description Name of the variable, for a template whose variables have names. */
            parameter_name?: string | null;
            /**
             * @description The text. It has no line break, no tab, and at most 4 spaces in a row.
             * @example Ana
             */
            text: string;
        };
        /** @description Messages of this template in this language, today and the six days before, in UTC. */
        TemplateUsage: {
            /**
             * @description Messages that WhatsApp accepted.
             * @example 120
             */
            sent: number;
            /**
             * @description Messages that reached the phone of the customer.
             * @example 117
             */
            delivered: number;
            /**
             * @description Messages the customer opened.
             * @example 80
             */
            read: number;
            /**
             * @description Messages that will not arrive.
             * @example 3
             */
            failed: number;
        };
        /** @description A variable of a template. */
        TemplateVariable: {
            /**
             * @description The part the variable is in.
             * @example body
             * @enum {string}
             */
            component: "header" | "body";
            /**
             * @description Number of the variable in its part, from 1.
             * @example 1
             */
            position: number;
            /**
             * @description Name of the variable, if it has one.
             * @example name
             */
            name: string | null;
            /**
             * @description Example value, if there is one.
             * @example Ana
             */
            example: string | null;
        };
        /** @description A video. */
        TemplateVideoParameter: {
            /**
             * @description In lower case or in capital letters.
             * @enum {string}
             */
            type: "video" | "VIDEO";
            /** @description The file. */
            video: {
                /**
                 * @description http or https address of the file. Give either `link` or `media_id`.
                 * @example https://files.example.com/a
                 */
                link?: string | null;
                /** @description Id of an uploaded file. */
                media_id?: string | null;
                /** @description Meta's name for `media_id`. It takes ids of Postern, not those of Meta. */
                id?: string | null;
            };
        };
        /** @description A message template with its use and its history. */
        TemplateWithHistory: {
            /**
             * @description Id of the template.
             * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Name of the template.
             * @example order_ready
             */
            name: string;
            /**
             * @description Language code.
             * @example en_US
             */
            language: string;
            /**
             * @description Category, which sets the price of a message.
             * @example utility
             * @enum {string}
             */
            category: "marketing" | "utility" | "authentication";
            /**
             * @description Category that Meta has announced for the template; null when there is none.
             * @example null
             */
            next_category: ("marketing" | "utility" | "authentication") | null;
            /**
             * @description Only an `approved` template can be sent; it stays approved while an edit of it is under review.
             * @example approved
             * @enum {string}
             */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            /**
             * @description Why the template was rejected, paused or disabled; null otherwise.
             * @example null
             */
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            /** @description Quality rating by Meta, if there is one. */
            quality: ("high" | "medium" | "low") | null;
            /**
             * @description Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`).
             * @example api
             * @enum {string}
             */
            source: "catalog" | "api" | "platform";
            /** @description Where the template exists: in the `sandbox` or at Meta (`cloud`). */
            channel: ("sandbox" | "cloud") | null;
            /**
             * @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases.
             * @enum {string}
             */
            parameter_format: "positional" | "named";
            /** @description The parts of the template. */
            components: components["schemas"]["TemplateComponent"][];
            /** @description Every variable of header and body, in order. */
            variables: components["schemas"]["TemplateVariable"][];
            /**
             * @description How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default.
             * @example null
             */
            message_send_ttl_seconds: number | null;
            /**
             * @description The edit of an approved template that Meta is reviewing; null when there is none. Sends use the approved content until the review is over.
             * @example null
             */
            pending_edit: components["schemas"]["TemplatePendingEdit"] | null;
            /**
             * @description Version of the content; each change of the content adds 1.
             * @example 1
             */
            version: number;
            /**
             * @description Id of the template at Meta.
             * @example 1234567890123456
             */
            channel_template_id: string | null;
            /**
             * Format: date-time
             * @description When the gateway first recorded the template.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the template last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the template was last submitted for review.
             */
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description When Meta last decided about the template.
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @description When the template was last sent.
             */
            last_used_at: string | null;
            last_7_days: components["schemas"]["TemplateUsage"];
            /** @description The last 50 changes, newest first. */
            history: {
                /**
                 * @description What changed.
                 * @example status
                 * @enum {string}
                 */
                kind: "created" | "content" | "status" | "category" | "quality";
                /**
                 * @description Where the change came from: this `api`, the built-in `catalog`, a `callback` of Meta, or a `sync` with Meta.
                 * @example callback
                 * @enum {string}
                 */
                cause: "api" | "catalog" | "callback" | "sync";
                /**
                 * @description Status after the change.
                 * @example approved
                 * @enum {string}
                 */
                status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
                /**
                 * @description Version of the content after the change.
                 * @example 1
                 */
                version: number;
                /** @description The fields that changed. */
                changes: {
                    /**
                     * @description Name of the field.
                     * @example status
                     */
                    field: string;
                    /**
                     * @description Value before the change.
                     * @example pending
                     */
                    from: unknown;
                    /**
                     * @description Value after the change.
                     * @example approved
                     */
                    to: unknown;
                }[];
                /**
                 * Format: date-time
                 * @description When it changed.
                 */
                at: string;
            }[];
        };
        /** @description The customer who was unblocked. */
        UnblockedCustomer: {
            /**
             * @description The WhatsApp number whose block list this is.
             * @example +351210000000
             */
            phone_number: string;
            /**
             * @description Phone number with + and country code, or the user id of a customer who hides the number.
             * @example +12025550100
             */
            customer: string;
            /**
             * @description Always true, also for a customer who was not blocked.
             * @enum {boolean}
             */
            unblocked: true;
        };
        /** @description A webhook with its state. */
        Webhook: {
            /**
             * @description Id of the webhook, `whk_…`.
             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Address of the receiver.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Event types the webhook gets.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events: string[];
            /**
             * @description Whether events are delivered.
             * @example true
             */
            active: boolean;
            /**
             * @description Whether payloads have no texts and names, and only the first and last digits of numbers: true when a caller without `messages:read` chose the address.
             * @example false
             */
            masked: boolean;
            /**
             * @description Whether deliveries are signed: true when the webhook has a secret.
             * @example true
             */
            signed: boolean;
            /**
             * @description Your note about the webhook.
             * @example Shop backend
             */
            description: string | null;
            /**
             * @description Deliveries sent at the same time.
             * @example 16
             */
            max_in_flight: number;
            /**
             * @description Deliveries started per second; null without a limit.
             * @example null
             */
            max_per_second: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its settings last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the latest attempt started, of any event.
             */
            last_triggered: string | null;
            /** @description Whether the receiver has proved that the address is yours. */
            verification: {
                /**
                 * @description Result of the latest check.
                 * @example verified
                 * @enum {string}
                 */
                status: "pending" | "verified" | "failed";
                /**
                 * Format: date-time
                 * @description When the receiver last passed the check.
                 */
                verified_at: string | null;
                /**
                 * @description Why the latest check failed.
                 * @example null
                 */
                last_error: string | null;
            };
            /**
             * Format: date-time
             * @description When the gateway disabled the webhook.
             * @example null
             */
            disabled_at: string | null;
            /**
             * @description `failing` after three days without success, `gone` after a response with status 410.
             * @example null
             */
            disabled_reason: string | null;
            /** @description Numbers of the webhook since it was created. */
            stats: {
                /**
                 * @description Events with at least one attempt.
                 * @example 120
                 */
                total_sent: number;
                /**
                 * @description Events whose latest attempt failed.
                 * @example 0
                 */
                total_failed: number;
                /**
                 * @description Percent of events delivered, with two decimals; 100 before the first.
                 * @example 100
                 */
                success_rate: number;
            };
        };
        /**
         * @description The fields to change. Fields that are left out stay as they are. `null` clears `secret`, `description` and `max_per_second`; for other fields it is the same as leaving them out. A request that changes nothing is rejected.
         * @example {
         *       "events": [
         *         "message.*"
         *       ],
         *       "active": true
         *     }
         */
        WebhookChanges: {
            /**
             * @description Public https address of the receiver.
             * @example https://shop.example.com/webhooks
             */
            url?: string | null;
            /**
             * @description Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*")[] | "*"[]) | null;
            /**
             * @description Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string | null;
            /** @description Whether events are delivered. True also enables a webhook that was disabled. */
            active?: boolean | null;
            /** @description Your note about the webhook. */
            description?: string | null;
            /** @description Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others. */
            max_in_flight?: number | null;
            /** @description Deliveries started per second at most. Default: no limit. */
            max_per_second?: number | null;
        };
        /** @description A new webhook. */
        WebhookDraft: {
            /**
             * @description Public https address of the receiver.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events: unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*")[] | "*"[];
            /**
             * @description Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string | null;
            /** @description Whether events are delivered. Default: true. */
            active?: boolean | null;
            /** @description Your note about the webhook. */
            description?: string | null;
            /** @description Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others. */
            max_in_flight?: number | null;
            /** @description Deliveries started per second at most. Default: no limit. */
            max_per_second?: number | null;
        };
        /** @description Response of the receiver to the sample. */
        WebhookTest: {
            /**
             * @description Type of the sample event.
             * @example message.delivered
             * @enum {string}
             */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
            /**
             * @description Id of the test in the log of the gateway. Tests are not stored, so no other call returns it.
             * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            delivery_id: string;
            /**
             * @description Whether the receiver responded with status 2xx.
             * @example true
             */
            delivered: boolean;
            attempt: components["schemas"]["DeliveryAttempt"];
        };
        /** @description The sample to send. */
        WebhookTestRequest: {
            /**
             * @description Type of the sample event.
             * @example message.delivered
             * @enum {string}
             */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
        };
    };
    responses: {
        /** @description The request is not valid. `error.code` says why. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The credentials are missing, wrong or no longer valid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The credentials are valid, but do not allow this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The object or path does not exist in this account. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description Too many requests. `Retry-After` says when to repeat the request. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The gateway failed. `error.retryable` says whether to repeat the request. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorAnswer"];
            };
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
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account and its settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleAccountSettings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    renameAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleAccountName"];
            };
        };
        responses: {
            /** @description Rename the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleAccountSettings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    requireTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleTwoFactorRule"];
            };
        };
        responses: {
            /** @description Whether every member needs two-factor sign-in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description Start of the range, inclusive. Default: the start of the day, 7 days ago. */
                from?: string;
                /** @description End of the range, exclusive. Default: now. A bare date is the start of that day in `timezone`. */
                to?: string;
                /** @description Length of one point. A range may have 31 days by hour, 366 days by day, 36 months by month. */
                granularity?: "hour" | "day" | "month";
                /**
                 * @description IANA name of the time zone of days and months. Default: UTC.
                 * @example Europe/Lisbon
                 */
                timezone?: string;
                /** @description Up to two of template, type, category, country, phone_number, api_key, error_code; comma separated or repeated. */
                group_by?: string[];
                /** @description Only messages of this template. */
                template?: string;
                /** @description Only messages of this type, for example `text`. */
                type?: string;
                /** @description Only messages you sent, or only those you received. */
                direction?: "outbound" | "inbound";
                /** @description Only messages of this one of your numbers; the number or its id. */
                phone_number?: string;
                /** @description Only messages sent with this API key; its id. */
                api_key?: string;
                /** @description Largest groups to return; all others are one group, `other`. */
                limit_groups?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Numbers of messages over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Analytics"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description An action, `api_key.created`, or all of a noun, `api_key`. */
                action?: string;
                /** @description The id of a person, or `operator` or `gateway`. */
                actor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who did what, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleAuditList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listBlocked: {
        parameters: {
            query?: {
                /** @description The WhatsApp number whose block list is meant: one of your numbers, or its id. Default: your default number. */
                from?: string;
                /** @description Customers per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the block list, as Meta has it at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BlockedList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    blockCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockRequest"];
            };
        };
        responses: {
            /** @description The customers that were blocked, and those that were not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BlockResult"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    unblockCustomer: {
        parameters: {
            query?: {
                /** @description The WhatsApp number whose block list is meant: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +.
                 * @example +12025550100
                 */
                customer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer who was unblocked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["UnblockedCustomer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connected channels with their numbers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleChannelList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    connectChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleChannelForm"];
            };
        };
        responses: {
            /** @description Connect a number, step by step */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleChannelChecked"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    connectSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connect a number of the sandbox */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleChannelList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    checkChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleChannelRepair"];
            };
        };
        responses: {
            /** @description Check a connected channel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleChannelChecked"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    disconnectChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleChannelFarewell"];
            };
        };
        responses: {
            /** @description Disconnect a channel and delete its credentials */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCheckStep"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    confirmPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleConfirmRequest"];
            };
        };
        responses: {
            /** @description Confirm the password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getConversation: {
        parameters: {
            query: {
                /** @description A phone number or a user id. */
                customer: string;
                limit?: number;
                /** @description For what was written before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation with one customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleConversation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    markConversationRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleCustomerChoice"];
            };
        };
        responses: {
            /** @description Mark the messages of a customer as read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMarkedConversation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Part of a name, number or message. */
                search?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Customers with their last message, unread ones first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleConversationList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getConversationControl: {
        parameters: {
            query?: {
                /** @description The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who replies in a conversation, as far as Meta has told. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConversationControl"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    controlConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Phone number with + and country code, or the user id of a customer who hides the number.
                 * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ControlRequest"];
            };
        };
        responses: {
            /** @description Who replies in a conversation, as far as Meta has told. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConversationControl"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeCustomer: {
        parameters: {
            query: {
                /** @description A phone number or a user id. */
                customer: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names, addresses and preferences of a customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCustomer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleCustomerChoice"];
            };
        };
        responses: {
            /** @description Erase a customer permanently */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleErasureReceipt"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    setPreference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsolePreferenceChoice"];
            };
        };
        responses: {
            /** @description Stop marketing messages to a customer, or allow them again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCustomer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description Only the customer who has this address. Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +.
                 * @example +12025550100
                 */
                address?: string;
                /** @description Customers per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CustomerList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerRequest"];
            };
        };
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the customer, also one that they had before two were found to be one.
                 * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    setCustomerPreference: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the customer, also one that they had before two were found to be one.
                 * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerPreferenceRequest"];
            };
        };
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    findDeliveries: {
        parameters: {
            query: {
                /** @description Of an event or of a delivery. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries behind the id of an event or of a delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleFoundDeliveries"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /** @description An action, `api_key.created`, or all of a noun, `api_key`. */
                action?: string;
                /** @description The id of a person, or `operator` or `gateway`. */
                actor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file of comma-separated values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    exportMessages: {
        parameters: {
            query?: {
                direction?: "outbound" | "inbound";
                status?: "queued" | "sent" | "delivered" | "read" | "failed" | "received" | "not_sent";
                type?: string;
                template?: string;
                key_id?: string;
                /** @description An id, a phone number or a reference, whole. */
                search?: string;
                /** @description The error code it failed or was rejected with. */
                code?: string;
                /** @description Inclusive. */
                since?: string;
                /** @description Exclusive. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file of comma-separated values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    exportRequests: {
        parameters: {
            query?: {
                outcome?: "all" | "refused" | "accepted";
                key_id?: string;
                /** @description A request id, an error code or part of a route. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file of comma-separated values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether everything works, at a glance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleHome"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All API keys, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleApiKeyList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleNewApiKey"];
            };
        };
        responses: {
            /** @description Create an API key; its secret is shown once only */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCreatedApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    changeApiKeyAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleKeyAccess"];
            };
        };
        responses: {
            /** @description Change name, scopes and addresses of an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key and every token of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Create a new secret for an API key; the old one works for 24 hours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCreatedApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Null on a plan without limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleLimits"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    followChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events that stays open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    changeOwnName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleOwnProfile"];
            };
        };
        responses: {
            /** @description Change your name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsolePasswordChange"];
            };
        };
        responses: {
            /** @description Change your password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether your two-factor sign-in is on, and how many recovery codes are left */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleTwoFactorState"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    beginTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new secret for an authenticator app; a code must confirm it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleTwoFactorSetup"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleTwoFactorConfirmation"];
            };
        };
        responses: {
            /** @description Turn on two-factor sign-in with a first code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleRecoveryCodes"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    switchOffTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleBothFactors"];
            };
        };
        responses: {
            /** @description Turn off two-factor sign-in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleBothFactors"];
            };
        };
        responses: {
            /** @description Ten new recovery codes; the previous ones stop working */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleRecoveryCodes"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    uploadMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Images: JPEG, PNG (5 MB). Documents: PDF, Word, Excel, PowerPoint, plain text (100 MB). Audio: AAC, AMR, M4A, MP3, OGG with Opus (16 MB). Video: MP4, 3GP (16 MB). Stickers: WebP (100 KB, animated 500 KB). 1 MB is 1,048,576 bytes. The bytes decide the type, not the name; the Content-Type of the part counts where they cannot, as for plain text.
                     * @example <bytes of receipt.pdf>
                     */
                    file: string;
                    /**
                     * @description Name to keep instead of the file's own; without path, line breaks or control characters.
                     * @example receipt.pdf
                     */
                    filename?: string;
                };
            };
        };
        responses: {
            /** @description A stored file, without its bytes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MediaFile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readMediaContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the file.
                 * @example med_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file, with its own `Content-Type`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMemberList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleInvitation"];
            };
        };
        responses: {
            /** @description Invite a person; the link is shown once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleInvited"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleRoleChange"];
            };
        };
        responses: {
            /** @description Give a member another role; the member signs in again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMember"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a member; sessions and links end at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    renewMemberLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new one-time link to join, or to set a new password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleInvited"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    resetMemberTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reset the second factor of a member, who signs in again with the password alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMember"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listMessageFilters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Filters of the message log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleLogFilters"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listMessageLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                direction?: "outbound" | "inbound";
                status?: "queued" | "sent" | "delivered" | "read" | "failed" | "received" | "not_sent";
                type?: string;
                template?: string;
                key_id?: string;
                /** @description An id, a phone number or a reference, whole. */
                search?: string;
                /** @description The error code it failed or was rejected with. */
                code?: string;
                /** @description Inclusive. */
                since?: string;
                /** @description Exclusive. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Messages and rejected sends, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMessageLog"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendContacts: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendContacts"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendInteractive: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendInteractive"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendLocation: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendLocation"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendMedia: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMedia"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendReaction: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendReaction"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendText: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendText"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentText"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendSticker: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendSticker"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendTemplate: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendTemplate"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentTemplate"] | components["schemas"]["DryRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A message with its history and webhook deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleMessageDetail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendMessageAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSendAgain"];
            };
        };
        responses: {
            /** @description Send the content of a message again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSentByHand"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    setDefaultNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Set the default number for messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleChannelList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getProfile: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What customers see about a number, as Meta has it at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BusinessProfile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BusinessProfileChanges"];
            };
        };
        responses: {
            /** @description What customers see about a number, as Meta has it at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BusinessProfile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readProfilePhoto: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
                /** @description Makes the address of a new photo another one. */
                t?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The photo, with its own `Content-Type`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the setup is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleProgress"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                outcome?: "all" | "refused" | "accepted";
                key_id?: string;
                /** @description A request id, an error code or part of a route. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls to the API, newest first, including rejected ones */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleRequestList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    setSandboxBehaviour: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSandboxBehaviour"];
            };
        };
        responses: {
            /** @description What the next message will do, and how fast */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readSandboxConversation: {
        parameters: {
            query: {
                number_id: string;
                /** @description The phone number of the simulated customer. */
                customer: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What one customer sees */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSandboxConversation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    addSandboxCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSandboxNewCustomer"];
            };
        };
        responses: {
            /** @description Add a simulated customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listSandboxEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest events and the responses of webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            events: components["schemas"]["ConsoleTracedEvent"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    actAsCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSandboxAct"];
            };
        };
        responses: {
            /** @description Write or tap as the customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSandboxActed"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listSandboxNumbers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of the account that are in the sandbox */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSandboxLines"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeSandboxPhone: {
        parameters: {
            query: {
                number_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customers of a number and how their phone behaves */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSandboxPhone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    setSandboxWindow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSandboxWindow"];
            };
        };
        responses: {
            /** @description Open or close the 24-hour window of a customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in, where, and what they may do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSession"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where people are signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSessionList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign out everywhere else */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign out one session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    completeSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSetupRequest"];
            };
        };
        responses: {
            /** @description Take over the record behind a one-time link, and sign in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSession"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeSetupLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSetupLookup"];
            };
        };
        responses: {
            /** @description What a one-time link is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSetupLink"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSignInRequest"];
            };
        };
        responses: {
            /** @description Sign in with email and password, and the two-factor code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleSession"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDone"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Only templates with one of these statuses, comma separated. Default: all but `deleted`. */
                status?: string;
                /** @description Only templates of this category. */
                category?: "marketing" | "utility" | "authentication";
                /**
                 * @description Only templates in this language.
                 * @example en_US
                 */
                language?: string;
                /** @description Only templates with exactly this name. */
                name?: string;
                /** @description Only templates with this text in their name or body. */
                search?: string;
                /** @description Only templates from the `catalog`, made with this `api`, or made at Meta (`platform`). */
                source?: "catalog" | "api" | "platform";
                /** @description Templates per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["TemplateList"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDraft"];
            };
        };
        responses: {
            /** @description A message template in one language. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Template"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    submitCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Submit the templates every account starts with */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCatalogSubmission"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    checkTemplateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDraft"];
            };
        };
        responses: {
            /** @description What is wrong with a template, and how it would look */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCheckedTemplate"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the template.
                 * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A message template with its use and its history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["TemplateWithHistory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the template.
                 * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChanges"];
            };
        };
        responses: {
            /** @description A message template in one language. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Template"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the template.
                 * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template that was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DeletedTemplate"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan, its limits, and use per hour and day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleUsage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleWebhookStandings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDraft"];
            };
        };
        responses: {
            /** @description The webhook that was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook and its deliveries in the last 24 hours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleWebhookDetail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description A webhook with its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook that was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description The webhook that was deleted. */
                        data: {
                            /**
                             * @description Id of the webhook, `whk_…`.
                             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                             */
                            id: string;
                            /**
                             * @description Always true.
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    checkSignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSignatureToCheck"];
            };
        };
        responses: {
            /** @description Whether a signature is one of this webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleCheckedSignature"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status, or with one of several, separated by commas. */
                status?: string;
                /** @description Only events of this type. */
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.standby" | "message.echoed" | "conversation.control_changed" | "customer.preference_changed" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
                /**
                 * @description Only deliveries created at or after this time.
                 * @example 2026-11-15T10:00:00Z
                 */
                since?: string;
                /**
                 * @description Only deliveries created before this time.
                 * @example 2026-11-15T10:00:00Z
                 */
                until?: string;
                /** @description Only events of this message. */
                message_id?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleDeliveryLog"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    describeDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
                /**
                 * @description Id of the delivery.
                 * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery with its body and its attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DeliveryWithAttempts"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
                /**
                 * @description Id of the delivery.
                 * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event for one webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    previewReplay: {
        parameters: {
            query: {
                since: string;
                status?: "failed" | "all";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many deliveries a replay would send */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ConsoleReplayPreview"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description What a replay will deliver again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Replay"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateRequest"];
            };
        };
        responses: {
            /** @description The new signing secret of the webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["RotatedSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description Response of the receiver to the sample. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WebhookTest"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook with its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; false in an error.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
}
