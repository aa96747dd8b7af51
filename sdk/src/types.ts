// Generated from docs/api/openapi.json by scripts/generate.ts: change the schemas of the server.

type Json<Body> = { content: { "application/json": Body } };
type Answer<Data> = Json<{ success: true; data: Data }>;

export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** An access token for the other calls. */
        AccessToken: {
            /** The token. Treat it as opaque: its contents may change at any time. Example: `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJrZXlfMDEifQ.c2lnbmF0dXJl` */
            access_token: string;
            /** Send the token as `Authorization: Bearer <token>`. */
            token_type: "Bearer";
            /** Seconds until the token expires. It is accepted for up to 30 seconds longer, to allow for clock skew; do not rely on that. Example: `3600` */
            expires_in: number;
        };
        /** Numbers of messages over time. */
        Analytics: {
            /** Start of the range, inclusive. (date-time) */
            from: string;
            /** End of the range, exclusive. (date-time) */
            to: string;
            /** Length of one point. Example: `day` */
            granularity: "hour" | "day" | "month";
            /** Time zone of days and months. Example: `Europe/Lisbon` */
            timezone: string;
            /** How the series are divided. */
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "error_code")[];
            /** When the numbers were counted. Delivered and read may still grow for earlier messages. (date-time) */
            as_of: string;
            /** Sums over the whole range. */
            totals: {
                /** Messages that were requested, whether or not they were sent. Example: `123` */
                created: number;
                /** Messages that WhatsApp accepted. Example: `120` */
                sent: number;
                /** Messages that reached the phone of the customer. Example: `117` */
                delivered: number;
                /** Messages the customer opened. Example: `80` */
                read: number;
                /** Messages that will not arrive. Example: `3` */
                failed: number;
                /** Messages from customers. Example: `42` */
                received: number;
                /** Messages of customers that quote one of these. Example: `9` */
                replies: number;
                /** Taps on the quick-reply buttons and list rows of these messages. Example: `21` */
                taps: number;
                /** Delivered of sent, in percent with two decimals; null when nothing was sent. Example: `97.5` */
                delivery_rate: number | null;
                /** Read of delivered, in percent with two decimals; null when nothing was delivered. Example: `68.38` */
                read_rate: number | null;
                /** Cost of the messages delivered in the range, one sum per currency. A message counts on the day of its delivery, in the time zone of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and when grouped by error code. */
                costs: components["schemas"]["Cost"][] | null;
                /** Different customers you wrote to. Null with filters, for ranges that are not whole UTC days, and for ranges older than messages are kept. Example: `96` */
                unique_recipients: number | null;
                /** Seconds from sent to delivered: half of the messages were faster. Interpolated from fixed buckets. Example: `1.8` */
                delivery_seconds_p50: number | null;
                /** Seconds from sent to delivered: 95% of the messages were faster. Interpolated from fixed buckets. Example: `1.8` */
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
                    /** Messages that were requested, whether or not they were sent. Example: `123` */
                    created: number;
                    /** Messages that WhatsApp accepted. Example: `120` */
                    sent: number;
                    /** Messages that reached the phone of the customer. Example: `117` */
                    delivered: number;
                    /** Messages the customer opened. Example: `80` */
                    read: number;
                    /** Messages that will not arrive. Example: `3` */
                    failed: number;
                    /** Messages from customers. Example: `42` */
                    received: number;
                    /** Messages of customers that quote one of these. Example: `9` */
                    replies: number;
                    /** Taps on the quick-reply buttons and list rows of these messages. Example: `21` */
                    taps: number;
                    /** Delivered of sent, in percent with two decimals; null when nothing was sent. Example: `97.5` */
                    delivery_rate: number | null;
                    /** Read of delivered, in percent with two decimals; null when nothing was delivered. Example: `68.38` */
                    read_rate: number | null;
                    /** Cost of the messages delivered in the range, one sum per currency. A message counts on the day of its delivery, in the time zone of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and when grouped by error code. */
                    costs: components["schemas"]["Cost"][] | null;
                };
                /** One entry per hour, day or month, in order; none with `points=false`. */
                points: components["schemas"]["AnalyticsPoint"][];
            }[];
            /** Why messages failed, most frequent first. */
            failures: {
                /** Error code of the failed messages. Example: `recipient_unreachable` */
                code: string;
                /** Failed messages with the code. Example: `3` */
                count: number;
            }[];
            /** Delivered messages by Meta's pricing category and type, where Meta named them. */
            pricing: {
                /** Pricing category. Example: `utility` */
                category: string;
                /** As Meta names it: `regular`, `free_customer_service`, `free_entry_point`, `free_group_customer_service` or a newer one; null where Meta did not say. Example: `regular` */
                type: string | null;
                /** Whether Meta says that it charges nothing for them. */
                free: boolean;
                /** Delivered messages of the category and type. Example: `117` */
                count: number;
            }[];
        };
        /** The numbers of one hour, day or month. */
        AnalyticsPoint: {
            /** Start of the point, inclusive. (date-time) */
            start: string;
            /** End of the point, exclusive. (date-time) */
            end: string;
            /** Messages that were requested, whether or not they were sent. Example: `123` */
            created: number;
            /** Messages that WhatsApp accepted. Example: `120` */
            sent: number;
            /** Messages that reached the phone of the customer. Example: `117` */
            delivered: number;
            /** Messages the customer opened. Example: `80` */
            read: number;
            /** Messages that will not arrive. Example: `3` */
            failed: number;
            /** Messages from customers. Example: `42` */
            received: number;
            /** Messages of customers that quote one of these. Example: `9` */
            replies: number;
            /** Taps on the quick-reply buttons and list rows of these messages. Example: `21` */
            taps: number;
            /** Delivered of sent, in percent with two decimals; null when nothing was sent. Example: `97.5` */
            delivery_rate: number | null;
            /** Read of delivered, in percent with two decimals; null when nothing was delivered. Example: `68.38` */
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
            /** Id of the person. Example: `usr_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            user_id: string;
            /** Name of the person. Example: `Bea` */
            name: string;
        };
        /** Who replies to the customer. */
        AssigneeChange: {
            /** Id of a person of your team, from GET /v1/chat/assignees; `me` for the signed-in person. Example: `usr_01jqzk3v8m4n2p6r9t0w5x7y1z` */
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
            /** The WhatsApp number. Example: `+351210000000` */
            phone_number: string;
            /** Questions that a first chat suggests. */
            prompts: string[];
            /** What customers see when they type a slash. */
            commands: {
                /** The word that customers type after the slash. Example: `order` */
                name: string;
                /** What it does. Example: `Where is my order?` */
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
                /** What customers type after the slash: letters, digits and _. Example: `order` */
                name: string;
                /** What it does. Example: `Where is my order?` */
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
            /** The WhatsApp number whose block list this is. Example: `+351210000000` */
            phone_number: string;
            /** Customers who are blocked now. */
            blocked: string[];
            /** Customers who could not be blocked; empty when all could. */
            failed: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
                customer: string;
                /** Why, as a code of the error table. */
                code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "rate_card_invalid" | "budget_exceeded" | "budget_needs_rates" | "budget_not_found" | "budget_limit_reached" | "rate_card_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "message_not_cancelable" | "message_expired" | "broadcast_state" | "broadcast_empty" | "broadcast_too_large" | "broadcast_changed" | "cost_limit_exceeded" | "upload_in_progress" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "connection_callback_missing" | "connection_handshake_failed" | "conversation_assigned_elsewhere" | "saved_reply_limit_reached" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "account_switched" | "two_factor_setup_required" | "password_sign_in_off" | "cross_site_request" | "last_owner" | "signup_not_available" | "signup_rejected" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "operator_only_here" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "account_not_found" | "session_not_found" | "api_key_not_found" | "signup_not_found" | "link_not_found" | "channel_not_found" | "customer_not_found" | "saved_reply_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "broadcast_not_found" | "upload_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "queue_full" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "sign_in_provider_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
                /** Why, in one sentence. */
                message: string;
            }[];
        };
        /** A page of the block list, as Meta has it at this moment. */
        BlockedList: {
            /** The WhatsApp number whose block list this is. Example: `+351210000000` */
            phone_number: string;
            /** Blocked customers. */
            blocked: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
                customer: string;
                /** Name of the customer, if they have written to this account. Example: `Ana` */
                name: string | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /** A broadcast with its progress. */
        Broadcast: {
            /** Id of the broadcast. Example: `bct_01kb3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Your name for it; recipients never see it. Example: `Spring sale` */
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
            /** The WhatsApp number it sends from. Example: `+15550100001` */
            from: string | null;
            /** Name of the template. Example: `spring_sale` */
            template: string;
            /** Language code of the template. Example: `pt_PT` */
            language: string;
            /** Its values with `{{columns}}`. */
            components: unknown[] | null;
            /** The columns that the values name. */
            columns: string[];
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours: {
                /** When they begin, as HH:MM. Example: `21:00` */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. Example: `08:00` */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. Example: `recipient` */
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
                /** Error code. Example: `recipient_unreachable` */
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
                /** The amount. Example: `475.8880` */
                amount: string;
                /** Its currency. Example: `EUR` */
                currency: string;
                /** Delivered messages with a price. Example: `9712` */
                priced: number;
                /** Delivered messages for which no rate card has a rate. Example: `0` */
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
            /** Your name for it; recipients never see it. Example: `Spring sale` */
            name?: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string;
            /** Name of the template. Example: `spring_sale` */
            template?: string;
            /** Language code of the template. Example: `pt_PT` */
            language?: string;
            /** Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|default}}` provides a default for empty values. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours?: {
                /** When they begin, as HH:MM. Example: `21:00` */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. Example: `08:00` */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. Example: `recipient` */
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
            /** Your name for it; recipients never see it. Example: `Spring sale` */
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
            /** Your name for it; recipients never see it. Example: `Spring sale` */
            name: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Name of the template. Example: `spring_sale` */
            template: string;
            /** Language code of the template. Example: `pt_PT` */
            language: string;
            /** Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|default}}` provides a default for empty values. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** Hours in which nothing is sent. Recipients in their quiet hours wait until these end. */
            quiet_hours?: {
                /** When they begin, as HH:MM. Example: `21:00` */
                from: string;
                /** When they end, as HH:MM; before `from` means the next day. Example: `08:00` */
                to: string;
                /** `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`. Example: `recipient` */
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
                /** Phone number in international format, or a WhatsApp user id. Example: `+12025550100` */
                to: string;
                /** The values of the columns, each a text, a number, true or false. */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** Your own reference; the message repeats it. */
                client_reference?: string | null;
                /** IANA time zone of the recipient. Example: `Europe/Lisbon` */
                time_zone?: string | null;
            }[] | null;
            /** Start at once. Needs `recipients`, all of them valid. Default: false. */
            start?: boolean | null;
            /** When to start: up to 30 days ahead, and no longer than the operator keeps message contents. Example: `2026-12-01T09:00:00+00:00` */
            start_at?: string | null;
        };
        /** What a broadcast would do now. */
        BroadcastEstimate: {
            /** Recipients who have not been processed yet. */
            recipients: number;
            /** Recipients by country, largest first. */
            countries: {
                /** ISO 3166 code of the country; null if the number does not show it. Example: `PT` */
                country: string | null;
                /** Recipients. */
                count: number;
            }[];
            /** Recipients who would be skipped, by reason. */
            skipped: {
                [key: string]: number;
            };
            /** Category of the template. Example: `marketing` */
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
            /** The recipient. Example: `+12025550100` */
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
            /** Id of the upload. Example: `upl_01kb3m7y3t4d0v9v4k6q1t7r2d` */
            upload_id: string;
            /** The recipient; null when they were erased. Example: `+12025550100` */
            to: string | null;
            /** Your reference. */
            client_reference: string | null;
            /** Their result. */
            result: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
            /** Error code of a failure, or the reason of a skip. */
            code: string | null;
            /** Id of the message. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
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
            /** When to start: up to 30 days ahead, and no longer than the operator keeps message contents. Example: `2026-12-01T09:00:00+00:00` */
            start_at?: string | null;
            /** The number of recipients you expect; if it differs, the call is rejected. */
            recipients?: number | null;
            /** An amount of money. */
            max_cost?: {
                /** A decimal number. Example: `500` */
                amount: string;
                /** ISO 4217 code. Example: `EUR` */
                currency: string;
            } | null;
        };
        /** Messages that were really sent, and count and cost as such. */
        BroadcastTest: {
            /** One for each of `to`. */
            messages: {
                /** The recipient. Example: `+12025550100` */
                to: string;
                /** Id of the message; null where it was not sent. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
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
            /** Id of the budget. Example: `bdg_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            budget_id: string;
            /** Your name for it. Example: `Marketing` */
            name: string;
            /** The API key whose sends count; null for all sends of the account. Example: `key_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            api_key_id: string | null;
            /** In the time zone of the WhatsApp Business account. */
            period: "day" | "month";
            /** The currency of all amounts. Example: `EUR` */
            currency: string;
            /** The maximum amount per period. Example: `500.0000` */
            limit: string;
            /** The percentage at which `budget.warned` is sent. Example: `80` */
            warn_at: number;
            /** Whether sends over the limit are rejected. */
            stop: boolean;
            /** Categories that are never blocked. */
            exempt: string[];
            /** How much is used: below `warn_at`, below the limit, or all. A send that costs more than what is `left` is rejected before that. */
            state: "ok" | "warned" | "exceeded";
            /** The first day of this period. Example: `2026-11-01` */
            period_start: string;
            /** When the next period begins. (date-time) */
            starts_anew_at: string;
            /** Maximum cost of messages in flight. Example: `1.2000` */
            reserved: string;
            /** Cost of delivered messages. Example: `124.5000` */
            spent: string;
            /** The remaining amount; 0 when the limit is exceeded. Example: `374.3000` */
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
            /** Your name for it. Example: `Marketing` */
            name?: string;
            /** The maximum amount per period, as a decimal number. Example: `500.00` */
            limit?: string;
            /** The percentage at which `budget.warned` is sent. Default: 80. Example: `80` */
            warn_at?: number;
            /** Whether sends over the limit are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /** Categories that are never blocked and reserve nothing; their cost still counts as spent. Default: authentication. */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
        };
        /** The deleted budget. */
        BudgetDeleted: {
            /** Id of the budget. Example: `bdg_01jqzk3v8m4n2p6r9t0w5x7y1z` */
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
            /** Your name for it. Example: `Marketing` */
            name: string;
            /** The maximum amount per period, as a decimal number. Example: `500.00` */
            limit: string;
            /** A calendar day or month in the time zone of the WhatsApp Business account. Example: `month` */
            period: "day" | "month";
            /** The currency in which Meta bills the numbers whose messages count. Example: `USD` */
            currency: string;
            /** Only sends with this API key; its id. Default: all sends of the account. */
            api_key_id?: string | null;
            /** The percentage at which `budget.warned` is sent. Default: 80. Example: `80` */
            warn_at?: number;
            /** Whether sends over the limit are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /** Categories that are never blocked and reserve nothing; their cost still counts as spent. Default: authentication. */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
        };
        /** What customers see about a number, as Meta has it at this moment. */
        BusinessProfile: {
            /** The WhatsApp number that the profile belongs to. Example: `+351210000000` */
            phone_number: string;
            /** The line under the name. */
            about: string | null;
            /** Address of the business. */
            address: string | null;
            /** What the business does. */
            description: string | null;
            /** Email address for customers. */
            email: string | null;
            /** Meta's category of the business. Meta may add others. Example: `RETAIL` */
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
        /** Which messages to cancel. */
        CancelMessages: {
            /** Your reference, as given with the sends. */
            client_reference: string;
        };
        /** The message that was canceled. */
        CanceledMessage: {
            /** Id of the message at WhatsApp. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** Always `canceled`. */
            status: "canceled";
            /** When it was canceled. (date-time) */
            canceled_at: string;
        };
        /** What was canceled. */
        CanceledMessages: {
            /** How many messages were canceled. Those that were no longer waiting are not counted. Example: `3` */
            canceled: number;
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
            /** Id of the customer. Example: `cus_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            customer_id: string;
            /** The phone number or user id of the customer. Example: `+12025550100` */
            customer: string;
            /** Name in their WhatsApp profile, if they have written. Example: `Ana` */
            name: string | null;
            /** Your number that they wrote to last. Example: `+15550100001` */
            phone_number: string | null;
            /** A new message of the customer opens a closed conversation. */
            state: "open" | "closed";
            /** Who replies to the customer; null: nobody in particular. */
            assignee: {
                /** Id of the person. Example: `usr_01jqzk3v8m4n2p6r9t0w5x7y1z` */
                user_id: string;
                /** Name of the person. Example: `Bea` */
                name: string;
            } | null;
            /** Since when the assignee has it. (date-time) */
            assigned_at: string | null;
            /** Messages that nobody has read. Example: `1` */
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
                /** Id of the message. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
                message_id: string;
                /** `outbound` is sent by you. */
                direction: "outbound" | "inbound";
                /** Type of the message. Example: `text` */
                type: string;
                /** Status of the message. Example: `received` */
                status: string;
                /** Name of the template, if it is one. */
                template: string | null;
                /** The beginning of its content. Example: `Where is my order?` */
                preview: string | null;
                /** Why it was not sent or delivered. */
                error_code: string | null;
                /** When the gateway got it. (date-time) */
                created_at: string;
            } | null;
        };
        /** Who replies in a conversation, as far as Meta has reported. */
        ConversationControl: {
            /** The customer, as given. Example: `+12025550100` */
            customer_id: string;
            /** Your number. Example: `+351210000000` */
            phone_number: string;
            /** `gateway`: you. `other`: another responder; a free-form message is rejected with `thread_owned_elsewhere`, a template is not. `nobody`: the next message decides. Example: `gateway` */
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
            /** Currency in which Meta bills the WhatsApp Business account; null until Meta reports it. Example: `EUR` */
            currency: string | null;
            /** Sum of the messages that have a price, as a decimal number; null when none has. Example: `475.8880` */
            amount: string | null;
            /** Delivered messages in the amount, free ones included. Example: `9712` */
            priced: number;
            /** Messages that Meta reports as free. Example: `311` */
            free: number;
            /** Delivered messages without a rate: there is no card for the day, or no rate for the country or category. Example: `0` */
            unpriced: number;
            /** Meta's own figure for the same, which it describes as approximate; null if Meta reports none: for groupings and filters other than country, day and `pricing_category`, in analytics, and for accounts on a partner's credit line. Example: `476.0000` */
            reported: string | null;
        };
        /** Cost of delivered messages, by the imported rate cards. */
        Costs: {
            /** First day. Example: `2026-11-01` */
            from: string;
            /** The day after the last one. Example: `2026-12-01` */
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
            /** Groups beyond `limit_groups`. Example: `0` */
            groups_left_out: number;
            /** When Meta's figures were last requested, which happens once a day; null before the first time. (date-time) */
            reported_as_of: string | null;
            /** The newest tier of each account, category and market in the months of these days, the newest month first; empty while Meta reports none. */
            volume_tiers: components["schemas"]["VolumeTier"][];
        };
        /** The webhook that was created. */
        CreatedWebhook: {
            /** Id of the webhook, `whk_…`. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Address of the receiver. Example: `https://shop.example.com/webhooks` */
            url: string;
            /** Event types the webhook gets. */
            events: string[];
            /** Whether events are delivered. */
            active: boolean;
            /** When the webhook was created. (date-time) */
            created_at: string;
        };
        /** The account and the API key of the call, what the call may do, and the remaining quota of the plan. */
        CurrentUser: {
            /** The account the API key belongs to. */
            account: {
                /** Id of the account. Example: `acc_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                id: string;
                /** Name of the account. Example: `Acme Store` */
                name: string;
                /** Plan of the account; it sets the limits. Example: `starter` */
                plan: "free" | "starter" | "professional" | "enterprise";
                /** `active` or `suspended`. Example: `active` */
                status: string;
                /** When the account was created. (date-time) */
                created_at: string;
            };
            /** The API key of the call. */
            api_key: {
                /** Id of the API key. Example: `key_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                id: string;
                /** Name of the API key. Example: `Checkout` */
                name: string;
                /** The API key, shortened. Example: `ptk_8Fq2…x91T` */
                key: string;
                /** When the key was created. (date-time) */
                created_at: string;
                /** When the key expires; null when it does not. (date-time) */
                expires_at: string | null;
                /** When the key was last used, also to get a token or for a call that was rejected. Noted once a minute. (date-time) */
                last_used_at: string | null;
            };
            /** The person who created the key; the owner of the account for a key made on the command line. */
            user: {
                /** Id of the person. Example: `usr_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                id: string;
                /** Name of the person. Example: `Ana` */
                name: string;
                /** Email address of the person, if known. Example: `ana@example.com` */
                email: string | null;
            };
            /** The access token of the call; null for Basic credentials. */
            token: {
                /** Id of the token. Example: `tok_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                id: string;
                /** When the token was issued. (date-time) */
                issued_at: string;
                /** When the token expires. (date-time) */
                expires_at: string;
                /** Until when `POST /v1/auth/refresh` accepts the token. (date-time) */
                refreshable_until: string;
            } | null;
            /** The scopes of the call. */
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            /** The connection to WhatsApp. */
            channel: {
                /** Whether a WhatsApp number is connected. */
                connected: boolean;
                /** Whether Meta has verified the business. */
                business_verified: boolean;
                /** Your WhatsApp numbers. */
                phone_numbers: {
                    /** Id of the number. Example: `pn_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                    id: string;
                    /** The number in international format. Example: `+15550100001` */
                    phone_number: string;
                    /** Name that customers see. Example: `Acme Store` */
                    display_name: string | null;
                    /** Quality rating by Meta: `high`, `medium` or `low`. Example: `high` */
                    quality: string | null;
                    /** Whether its channel works. `no_callbacks`: messages can be sent, but Meta reports no statuses and no incoming messages to this gateway. `auth_failed`: Meta rejects the access token, so nothing can be sent. Example: `connected` */
                    status: "connected" | "no_callbacks" | "auth_failed";
                    /** Whether sends without `from` use this number. */
                    default: boolean;
                }[];
            };
            /** What is left of the plan. */
            limits: {
                /** The limit per hour; null on a plan without one. */
                hour: {
                    /** Requests the plan allows per hour. Example: `1000` */
                    quota: number;
                    /** Requests made in this hour. Example: `12` */
                    used: number;
                    /** Requests left in this hour. Example: `988` */
                    remaining: number;
                    /** When the hour ends, in UTC. (date-time) */
                    resets_at: string;
                } | null;
                /** The limit per day; null on a plan without one. */
                day: {
                    /** Requests the plan allows per day. Example: `1000` */
                    quota: number;
                    /** Requests made in this day. Example: `12` */
                    used: number;
                    /** Requests left in this day. Example: `988` */
                    remaining: number;
                    /** When the day ends, in UTC. (date-time) */
                    resets_at: string;
                } | null;
                /** Storage of files. */
                media_bytes: {
                    /** Bytes the plan allows; null without a limit. Example: `5368709120` */
                    quota: number | null;
                    /** Bytes of the files stored now. Example: `48213` */
                    used: number;
                };
            };
        };
        /** A customer, and what each of your numbers knows of them. */
        Customer: {
            /** Id of the customer, which stays when their number or user id changes. Example: `cus_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            customer_id: string;
            /** Name in their WhatsApp profile, if they have written. Example: `Ana` */
            name: string | null;
            /** The address to send to: their current number, otherwise their user id. Example: `+12025550100` */
            address: string | null;
            /** Every address the customer is known by. */
            addresses: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
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
                /** Your number; null for one that is no longer known. Example: `+15550100001` */
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
                    /** What was said last. Example: `opted_in` */
                    state: "opted_out" | "opted_in" | "unknown";
                    /** When it was said. (date-time) */
                    since: string | null;
                    /** `whatsapp`, `keyword`, `console` or `api`: where it was said or recorded. Example: `api` */
                    source: string | null;
                    /** Who recorded it; null when the customer said it. Example: `Newsletter form` */
                    recorded_by: string | null;
                };
            }[];
            /** The gateway itself rejects marketing to customers who opted out. */
            marketing_enforced: boolean;
            /** The newest message in either direction. */
            last_message: {
                /** Id of the message. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
                message_id: string;
                /** `outbound` is sent by you. */
                direction: "outbound" | "inbound";
                /** Type of the message. Example: `text` */
                type: string;
                /** Status of the message. Example: `delivered` */
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
            /** Id of the customer, which stays when their number or user id changes. Example: `cus_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            customer_id: string;
            /** Name in their WhatsApp profile, if they have written. Example: `Ana` */
            name: string | null;
            /** The address to send to: their current number, otherwise their user id. Example: `+12025550100` */
            address: string | null;
            /** Every address the customer is known by. */
            addresses: {
                /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
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
            /** `opted_in` records consent to marketing messages, `opted_out` withdraws it. Example: `opted_in` */
            marketing: "opted_in" | "opted_out";
            /** One of your numbers, or its id. Default: all of them. */
            from?: string | null;
        };
        /** A customer, who may be new. */
        CustomerRequest: {
            /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
            address: string;
        };
        /** A broadcast that was deleted. */
        DeletedBroadcast: {
            /** Id of the broadcast. Example: `bct_01kb3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Always `true`. */
            deleted: true;
        };
        /** The file that was deleted. */
        DeletedMedia: {
            /** Id of the file. Example: `med_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            media_id: string;
            /** Always true. */
            deleted: true;
        };
        /** The template that was deleted. */
        DeletedTemplate: {
            /** Id of the template. Example: `tpl_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Always true. */
            deleted: true;
        };
        /** One event for one webhook. */
        Delivery: {
            /** Id of the delivery. Example: `dlv_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Id of the event. Example: `evt_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            event_id: string;
            /** Type of the event. Example: `message.delivered` */
            type: string;
            /** Id of the message the event is about. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string | null;
            /** `held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver returned 410, or the webhook was deleted. `expired`: it waited for as long as events are kept. A replay also sends what failed, was skipped, cancelled or expired. Example: `delivered` */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            /** Attempts so far. Example: `1` */
            attempt_count: number;
            /** When the event was queued for the webhook. (date-time) */
            created_at: string;
            /** When the next attempt follows, if one does. (date-time) */
            next_attempt_at: string | null;
        };
        /** One attempt to deliver an event. */
        DeliveryAttempt: {
            /** Id of the attempt. Example: `att_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Number of the attempt, from 1. Example: `1` */
            number: number;
            /** What started the attempt. */
            trigger: "schedule" | "manual" | "replay" | "test";
            /** Address it was sent to. Example: `https://shop.example.com/webhooks` */
            url: string;
            /** When it started. (date-time) */
            started_at: string;
            /** How long it took, in milliseconds. Example: `84` */
            duration_ms: number;
            /** HTTP status of the response; null when there was none. Example: `200` */
            status_code: number | null;
            /** Why there was no response, for example `timeout`. */
            error_code: string | null;
            /** More about the error. */
            error_message: string | null;
            /** Address the receiver had. Example: `203.0.113.7` */
            remote_ip: string | null;
            /** Headers of the request. `webhook-signature` is missing if the request was unsigned, if the webhook has changed since, or if the event is no longer kept. */
            request_headers: {
                [key: string]: string;
            };
            /** Headers of the response; empty for a first attempt that succeeded. */
            response_headers: {
                [key: string]: string;
            };
            /** The first 4 KiB of the response; null for a first attempt that succeeded. Example: `ok` */
            response_body: string | null;
            /** When the next attempt follows, if one does. (date-time) */
            next_attempt_at: string | null;
            /** True when the attempt ended after another process had taken over the delivery. Such an attempt is not counted. */
            late: boolean;
        };
        /** A delivery with its body and its attempts. */
        DeliveryWithAttempts: components["schemas"]["Delivery"] & {
            /** The exact text that is sent and signed; null when it is no longer kept. Example: `{"id":"evt_01ka3m7y3t4d0v9v4k6q1t7r2c","type":"message.delivered","api_version":"v1","data":{"sequence":2}}` */
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
                /** In which Meta bills the account. Example: `EUR` */
                currency: string | null;
                /** Null when no rate card has a rate for it. Example: `0.0356` */
                amount: string | null;
                /** Of authentication templates: the rate if Meta counts your business as foreign. */
                international_amount: string | null;
                /** Category that is charged; `service` for everything but templates. Example: `utility` */
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
        /** Something that happened. */
        Event: {
            /** Id of the event, the same for every webhook and every retry. Use it to ignore repeats. Example: `evt_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Type of the event. Example: `message.delivered` */
            type: string;
            /** Version of the API the event is written in. Example: `v1` */
            api_version: string;
            /** When the gateway recorded it. (date-time) */
            timestamp: string;
            /** The message, template, webhook or quota the event is about. */
            data: {
                [key: string]: unknown;
            };
        };
        /** The delivery as the log has it now. */
        ForwardRecord: {
            /** Id of the listener, as in its first message. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            webhook_id: string;
            /** Id of the delivery. Example: `dlv_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            delivery_id: string;
            /** `delivered` after a response with status 2xx. */
            status: "delivered" | "failed";
        };
        /** The response of your machine to a delivery. */
        ForwardReport: {
            /** The `receipt` of the delivery. Example: `rct_8Fq2LrT0aB3cD4eF5gHx91T` */
            receipt: string;
            /** Address the delivery was posted to. Example: `http://localhost:3000/webhooks` */
            url: string;
            /** Milliseconds until the response. Example: `12` */
            duration_ms: number;
            /** HTTP status of the response; leave it out when there was none. Example: `200` */
            status_code?: number | null;
            /** Why there was no response. */
            error_code?: ("timeout" | "connection_reset" | "connection_refused" | "dns_error" | "tls_error" | "protocol_error") | null;
            /** More about the error, for the log. */
            error_message?: string | null;
            /** Headers of the response, for the log. */
            response_headers?: {
                [key: string]: string;
            } | null;
            /** Body of the response, at most 4 KiB. Example: `ok` */
            response_body?: string | null;
        };
        /** Words with which customers stop marketing messages from a number, or allow them again. Without words, the feature is off. */
        Keywords: {
            /** The WhatsApp number they apply to. Example: `+351210000000` */
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
            /** Meta's code of the link. Example: `4O4YGZEG3RIVE1` */
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
            /** Meta's code of the link. Example: `4O4YGZEG3RIVE1` */
            link_id: string;
            /** Always `true`. */
            deleted: true;
        };
        /** The short links of a number, as Meta has them now. */
        LinkList: {
            /** The WhatsApp number. Example: `+351210000000` */
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
        /** May be empty. */
        MarkRead: {
            /** Also show the customer that you are typing. Default: false. */
            typing?: boolean | null;
        };
        /** The message that was marked as read. */
        MarkedRead: {
            /** Id of the message at WhatsApp. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** Always `read`. */
            status: "read";
        };
        /** A stored file, without its bytes. */
        MediaFile: {
            /** Id of the file. Example: `med_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            media_id: string;
            /** Kind of file. Example: `document` */
            type: "image" | "document" | "audio" | "video" | "sticker";
            /** MIME type, found from the bytes; of a file from a customer, as Meta gives it. Example: `application/pdf` */
            mime_type: string;
            /** Name of the file, if it has one. Example: `receipt.pdf` */
            filename: string | null;
            /** Size in bytes; null while a file of a customer is being fetched. Example: `48213` */
            size: number | null;
            /** SHA-256 of the bytes, hexadecimal; null while a file of a customer is being fetched. Example: `9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08` */
            sha256: string | null;
            /** When the gateway got the file. (date-time) */
            created_at: string;
            /** When the gateway deletes the file; null when it is kept. (date-time) */
            expires_at: string | null;
        };
        /** A message with all its details. */
        Message: components["schemas"]["MessageListItem"] & {
            /** Content of the message; the fields depend on `type`. Inbound messages can also have `referral`, `referred_product`, `forwarded` and `username`. Null when it was erased. */
            content: {
                [key: string]: unknown;
            } | null;
            /** Every status the message had, in order. */
            history: {
                /** The status the message got. Example: `delivered` */
                status: string;
                /** When it happened, by the clock of the source. (date-time) */
                at: string;
                /** When the gateway recorded it. (date-time) */
                recorded_at: string;
                /** `gateway`: recorded while the message was sent, from the response of Meta. `channel`: reported by Meta later. Example: `channel` */
                source: "gateway" | "channel";
                /** True when WhatsApp did not report it, but a later status implies it. */
                inferred: boolean;
            }[];
            /** What Meta charges for the message; null until Meta reports it, with the delivery. */
            price: {
                /** Pricing category. Example: `utility` */
                category: string;
                /** As Meta names it, such as `regular`. Example: `regular` */
                type: string | null;
                /** Whether Meta says that it charges nothing. */
                free: boolean;
                /** The day on which it arrived, in the time zone of your WhatsApp Business account. Example: `2026-11-15` */
                day: string;
                /** In which Meta bills the account. Example: `EUR` */
                currency: string | null;
                /** By the rate card of the day; null without a rate, and for keys without `costs:read`. Example: `0.0356` */
                amount: string | null;
            } | null;
            /** 24-hour window that opens with each message of the customer. */
            window: {
                /** Whether you may send more than templates now. */
                state: "open" | "closed" | "unknown";
                /** 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen. (date-time) */
                expires_at: string | null;
            };
            /** Whether the customer accepts marketing messages from this number, if they told WhatsApp. */
            marketing: {
                /** What the customer chose. Example: `unknown` */
                state: "opted_out" | "opted_in" | "unknown";
                /** When the customer chose it. (date-time) */
                since: string | null;
            };
        };
        /** A page of messages. */
        MessageList: {
            /** The messages of this page. */
            messages: components["schemas"]["MessageListItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** A message without its content and history. */
        MessageListItem: {
            /** Id of the message at WhatsApp; a provisional id, `out_…`, until WhatsApp has given one. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** `outbound` is sent by you, `inbound` by the customer. */
            direction: "outbound" | "inbound";
            /** Type of the message, such as `text`, `template`, `image` or `interactive`. Example: `text` */
            type: string;
            /** Phone number of the sender; null when it is not known or was erased. Example: `+15550100001` */
            from: string | null;
            /** Phone number of the recipient; null when it is not known or was erased. Example: `+12025550100` */
            to: string | null;
            /** WhatsApp user id of the customer, if known. */
            user_id: string | null;
            /** Id of the customer, whichever address they use; null when they were erased. Example: `cus_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            customer_id: string | null;
            /** `waiting`, `queued`, `sent`, `delivered`, `read`, `failed` or `canceled`; `received` for inbound messages. Example: `delivered` */
            status: string;
            /** `unknown` while it is not known whether Meta has the message; null otherwise. */
            outcome: string | null;
            /** Name of the template of a template message. */
            template: string | null;
            /** Language of the template. */
            language: string | null;
            /** Your reference, as given with the send. Example: `A-1001` */
            client_reference: string | null;
            /** Id of the message this one quotes. */
            reply_to: string | null;
            /** Id of the group the customer wrote in; you cannot send to groups. */
            group_id: string | null;
            /** Meta holds the message back while it checks the quality of the template. */
            held: boolean;
            /** `text` or `template`: what was sent of a request with a `fallback`. */
            used: string | null;
            /** How the message came here, if you neither sent it through this gateway nor received it to reply to. `standby`: the customer wrote while another responder handled the conversation. `other_responder`, `business_app`: your business sent it, through another responder or in the WhatsApp Business app. `history`: from before the number was connected. Null for all others. */
            origin: ("standby" | "other_responder" | "business_app" | "history") | null;
            /** When the gateway got the message. (date-time) */
            created_at: string;
            /** When WhatsApp accepted it. (date-time) */
            sent_at: string | null;
            /** When it reached the phone of the customer. (date-time) */
            delivered_at: string | null;
            /** When the customer opened it. (date-time) */
            read_at: string | null;
            /** When it failed. (date-time) */
            failed_at: string | null;
            /** Scheduled time of a queued or scheduled message. (date-time) */
            send_at: string | null;
            /** A waiting message is not sent after this time. (date-time) */
            expires_at: string | null;
            /** When a waiting message is checked next. (date-time) */
            next_attempt_at: string | null;
            /** How often Meta was called for a queued or scheduled message; 0 for all others. Example: `0` */
            attempts: number;
            /** Why a message waits. `time`: for its `send_at`. `rate`: for the rate limit of your number or of the customer. `meta`: Meta did not accept it; it was not sent. `channel`: the number or its token does not work. `template`: the template is paused or not approved yet. `account`: the account is suspended. `person`: until the operator releases it, because its API key can no longer send or the data was restored. `broadcast`: until its broadcast is resumed. `budget`: its budget is used up. */
            waiting_for: ("time" | "rate" | "meta" | "channel" | "template" | "account" | "person" | "broadcast" | "budget") | null;
            /** Why the message failed; null otherwise. */
            error: {
                /** Error code; the errors page explains it. */
                code: string;
                /** What happened, in one sentence. */
                message: string;
                /** Whether the same message can succeed later. */
                retryable: boolean;
                /** Meta's error, when Meta rejected the call. */
                upstream: {
                    /** Meta's error code. */
                    code: number | null;
                    /** Meta's title of the error. */
                    title: string | null;
                    /** Meta's explanation. */
                    detail: string | null;
                    /** Id of the call at Meta, for Meta's support. */
                    trace_id: string | null;
                } | null;
            } | null;
            /** The customer who wrote an inbound message. */
            contact: {
                /** Name in the WhatsApp profile of the customer. */
                name: string | null;
            } | null;
            /** Id of the broadcast that sent it. */
            broadcast_id: string | null;
            /** When the content was erased; the rest of the record stays. (date-time) */
            content_purged_at: string | null;
        };
        /** Where the page is in the whole list. */
        Pagination: {
            /** Entries per page, as requested. Example: `25` */
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
                /** Phone number in international format, or a WhatsApp user id. Example: `+12025550100` */
                to: string;
                /** The values of the columns, each a text, a number, true or false. */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** Your own reference; the message repeats it. */
                client_reference?: string | null;
                /** IANA time zone of the recipient. Example: `Europe/Lisbon` */
                time_zone?: string | null;
            }[];
        };
        /** May be empty: the bearer token is the one to refresh. */
        RefreshRequest: {
            /** Optional; when given, it must be the same token as the bearer. */
            access_token?: string | null;
        };
        /** What a replay will deliver again. */
        Replay: {
            /** Id of the replay. Example: `rpl_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            replay_id: string;
            /** Events that match the request. Example: `12` */
            matched: number;
            /** Deliveries that were queued, at most 10,000 per call. Example: `12` */
            queued: number;
        };
        /** Which events to deliver again. */
        ReplayRequest: {
            /** Replays events recorded at or after this time. Example: `2026-11-15T10:00:00Z` */
            since: string;
            /** Replays events recorded before this time. Default: now. Example: `2026-11-15T10:00:00Z` */
            until?: string | null;
            /** `failed` replays only what did not arrive, `all` everything. Default: `failed`. */
            status?: ("failed" | "all") | null;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
        };
        /** The result of a revocation. */
        Revocation: {
            /** False when the token is unknown or belongs to another API key. */
            revoked: boolean;
            /** Id of the revoked token. Example: `tok_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            token_id: string | null;
            /** When the token was revoked. (date-time) */
            revoked_at: string | null;
        };
        /** May be empty: the bearer token is revoked. */
        RevokeRequest: {
            /** The access token to revoke; it must belong to the same API key. Default: the bearer token. */
            token?: string | null;
            /** Another name for `token`. */
            access_token?: string | null;
            /** True also revokes the tokens this one was refreshed from, and all others of that chain. Tokens refreshed from this one are always revoked. */
            chain?: boolean | null;
        };
        /** May be empty: the gateway creates the new secret. */
        RotateRequest: {
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. Example: `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` */
            secret?: string | null;
            /** How long the old secret also signs, in seconds. Default: 86400, a day. Example: `3600` */
            overlap_seconds?: number | null;
        };
        /** The new signing secret of the webhook. */
        RotatedSecret: {
            /** Id of the webhook, `whk_…`. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** The new secret. It is not shown again. Example: `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` */
            secret: string;
            /** Until when the old secret also signs; null when there was none. (date-time) */
            previous_secret_expires_at: string | null;
            /** At most two secrets sign. True when a third, of an earlier rotation, still signed: this call ended it early. */
            earlier_secret_ended: boolean;
        };
        /** A text that agents use often. */
        SavedReply: {
            /** Id of the saved reply. Example: `rpl_01jqzk3v8m4n2p6r9t0w5x7y1z` */
            saved_reply_id: string;
            /** The word that is typed after `/`: letters, digits, `-` and `_`. Example: `hours` */
            shortcut: string;
            /** The text. `{{name}}` becomes the customer's name. Example: `Hello {{name}}, we are open from 9 to 6.` */
            text: string;
            /** When it was last changed. (date-time) */
            updated_at: string;
        };
        /** The deleted saved reply. */
        SavedReplyDeleted: {
            /** Id of the saved reply. Example: `rpl_01jqzk3v8m4n2p6r9t0w5x7y1z` */
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
            /** The word that is typed after `/`: letters, digits, `-` and `_`. Example: `hours` */
            shortcut: string;
            /** The text. `{{name}}` becomes the customer's name. Example: `Hello {{name}}, we are open from 9 to 6.` */
            text: string;
        };
        /** Contact cards. */
        SendContacts: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
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
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
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
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
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
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: the one of the message. Default: that number. */
            from?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Id of the message to react to: one of this customer, at most 30 days old. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** The emoji: exactly one. An empty text removes your reaction. Example: `👍` */
            emoji: string;
        };
        /** A sticker: a WebP file of at most 100 KB, animated 500 KB. */
        SendSticker: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
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
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
            send_at?: string | null;
            /** Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** Name of the template. Example: `order_confirmation` */
            template: string;
            /** Language code of the template. Example: `en_US` */
            language: string;
            /** Values for the template's variables: one entry for each part of the template that has some, and one for each button. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
        };
        /** A text message. */
        SendText: {
            /** Phone number in international format with a leading +, or a WhatsApp user id. Example: `+12025550100` */
            to: string;
            /** The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** Id of the message to quote: one that this customer wrote or got. */
            reply_to?: string | null;
            /** Your own reference, such as an order number. The message and its events repeat it. */
            client_reference?: string | null;
            /** Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /** When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`. Example: `2026-12-01T09:00:00+00:00` */
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
                /** Language code of the template. Example: `en_US` */
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
            /** Id of the message at WhatsApp. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** Phone number of the customer; null when the customer was erased meanwhile. Example: `+12025550100` */
            to: string | null;
            /** Type of the message, as requested. Example: `document` */
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
            /** Id of the message at WhatsApp. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
            message_id: string;
            /** Phone number of the customer; null when the customer was erased meanwhile. Example: `+12025550100` */
            to: string | null;
            /** Name of the template. Example: `order_confirmation` */
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
            /** Id of the message at WhatsApp. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2` */
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
                /** Share of `within_window` in all replies and misses. Example: `97.5` */
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
                /** Share of `within_window` in all replies and misses. Example: `97.5` */
                within_window_percent: number | null;
                /** Customers who wait since this day. */
                waiting: number;
            }[];
            /** By who replied, the most replies first. */
            agents: {
                /** Id of the person. Example: `usr_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                user_id: string;
                /** Null for a former member. Example: `Ana Sousa` */
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
                /** Share of `within_window` in all replies and misses. Example: `97.5` */
                within_window_percent: number | null;
            }[];
        };
        /** A message template in one language. */
        Template: {
            /** Id of the template. Example: `tpl_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Name of the template. Example: `order_ready` */
            name: string;
            /** Language code. Example: `en_US` */
            language: string;
            /** Category, which sets the price of a message. Example: `utility` */
            category: "marketing" | "utility" | "authentication";
            /** Category that Meta has announced for the template; null when there is none. */
            next_category: ("marketing" | "utility" | "authentication") | null;
            /** Only an `approved` template can be sent; it stays approved while an edit of it is under review. Example: `approved` */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            /** Why the template was rejected, paused or disabled; null otherwise. */
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            /** Quality rating by Meta, if there is one. */
            quality: ("high" | "medium" | "low") | null;
            /** Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`). Example: `api` */
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
            /** Version of the content; each change of the content adds 1. Example: `1` */
            version: number;
            /** Id of the template at Meta. Example: `1234567890123456` */
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
                        /** Id of the product, as your business named it in the catalog. Example: `sku-1` */
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
            /** Position of the button, as a number or as digits; the first is 0. Example: `0` */
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
                    /** Package name of the Android app. Example: `com.example.shop` */
                    package_name: string;
                    /** Hash of the key it is signed with, 11 characters. Example: `K8a/AINcGX7` */
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
            /** The code. Example: `SAVE25` */
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
                /** ISO 4217 code of the currency, in capital letters. Example: `EUR` */
                code: string;
                /** The amount times 1000: 42.50 is 42500. It may be negative, such as for a refund. Example: `42500` */
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
                /** The text to show. Example: `18 November 2026` */
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
                /** http or https address of the file. Give either `link` or `media_id`. Example: `https://files.example.com/a` */
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
            /** Language code of the template. Example: `en_US` */
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
                /** http or https address of the file. Give either `link` or `media_id`. Example: `https://files.example.com/a` */
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
                /** Milliseconds since 1970. Example: `1893456000000` */
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
            /** The body with values. Example: `Hello Ana, your order A-1001 is ready for you.` */
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
            /** Kind of button. Example: `url` */
            type: string;
            /** Text on the button. Example: `Track` */
            text: string;
            /** Address, phone number, coupon code or thumbnail product of the button, with values. Example: `https://shop.example.com/a-1001` */
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
        /** May be empty. */
        TemplatePreviewRequest: {
            /** Values for the variables, as in a send. Default: the examples of the template. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
        };
        /** A product of a catalog. */
        TemplateProductParameter: {
            /** In lower case or in capital letters. */
            type: "product" | "PRODUCT";
            /** The product. */
            product: {
                /** Id of the product, as your business named it in the catalog. Example: `sku-1` */
                product_retailer_id: string;
                /** Id of the catalog. Example: `194836987003835` */
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
            /** The text. It has no line break, no tab, and at most 4 spaces in a row. Example: `Ana` */
            text: string;
        };
        /** Messages of this template in this language, today and the six days before, in UTC. */
        TemplateUsage: {
            /** Messages that WhatsApp accepted. Example: `120` */
            sent: number;
            /** Messages that reached the phone of the customer. Example: `117` */
            delivered: number;
            /** Messages the customer opened. Example: `80` */
            read: number;
            /** Messages that will not arrive. Example: `3` */
            failed: number;
        };
        /** A variable of a template. */
        TemplateVariable: {
            /** The part the variable is in. Example: `body` */
            component: "header" | "body";
            /** Number of the variable in its part, from 1. Example: `1` */
            position: number;
            /** Name of the variable, if it has one. Example: `name` */
            name: string | null;
            /** Example value, if there is one. Example: `Ana` */
            example: string | null;
        };
        /** A video. */
        TemplateVideoParameter: {
            /** In lower case or in capital letters. */
            type: "video" | "VIDEO";
            /** The file. */
            video: {
                /** http or https address of the file. Give either `link` or `media_id`. Example: `https://files.example.com/a` */
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
                /** What changed. Example: `status` */
                kind: "created" | "content" | "status" | "category" | "quality";
                /** Where the change came from: this `api`, the built-in `catalog`, a `callback` of Meta, or a `sync` with Meta. Example: `callback` */
                cause: "api" | "catalog" | "callback" | "sync";
                /** Status after the change. Example: `approved` */
                status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
                /** Version of the content after the change. Example: `1` */
                version: number;
                /** The fields that changed. */
                changes: {
                    /** Name of the field. Example: `status` */
                    field: string;
                    /** Value before the change. Example: `pending` */
                    from: unknown;
                    /** Value after the change. Example: `approved` */
                    to: unknown;
                }[];
                /** When it changed. (date-time) */
                at: string;
            }[];
        };
        /** The API key and its secret. */
        TokenRequest: {
            /** The API key, `ptk_…`. Example: `ptk_8Fq2LrT0aB3cD4eF5gHx91T` */
            api_key?: string | null;
            /** Its secret, `pts_…`, shown once at creation. Example: `pts_c2VjcmV0LW9mLXRoZS1rZXk` */
            api_secret?: string | null;
            /** Scopes of the token, when it needs fewer than the key has. Default: all scopes of the key. */
            scopes?: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[] | null;
        };
        /** The event to cause. */
        TriggerRequest: {
            /** Type of the event to cause. Example: `message.received` */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /** Phone number of the customer who writes; for `message.received` only. Example: `+12025550100` */
            from?: string | null;
            /** What the customer writes; for `message.received` only. Example: `Where is my order?` */
            text?: string | null;
        };
        /** How the event was triggered. */
        TriggeredEvent: {
            /** Type of the event. Example: `message.received` */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /** `customer_wrote`: a customer of the sandbox wrote. `sample`: webhooks and listeners got a sample. `sample_to_listeners`: the account has a live number, so only listeners got it. */
            method: "customer_wrote" | "sample" | "sample_to_listeners";
            /** Phone number of the customer who wrote. Example: `+12025550100` */
            from: string | null;
            /** The sandbox number the customer wrote to. Example: `+15550100001` */
            to: string | null;
            /** Id of the message the customer wrote. Example: `wamid.HBgLMTIwMjU1NTAxMDAVAgASGBQz` */
            message_id: string | null;
            /** Clients of `GET /v1/listen` in this account, one per API key. Example: `1` */
            listeners: number;
            /** Webhooks that get the event. */
            webhooks: components["schemas"]["TriggeredWebhook"][];
        };
        /** A webhook that gets the event. */
        TriggeredWebhook: {
            /** Id of the webhook. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Address of the webhook. Example: `https://shop.example.com/webhooks` */
            url: string;
            /** Whether the receiver accepted the sample; null for an event whose delivery is in progress. */
            delivered: boolean | null;
            /** HTTP status of the receiver, if known. */
            status_code: number | null;
            /** Why there was no response. */
            error_code: string | null;
        };
        /** The customer who was unblocked. */
        UnblockedCustomer: {
            /** The WhatsApp number whose block list this is. Example: `+351210000000` */
            phone_number: string;
            /** Phone number with + and country code, or the user id of a customer who hides the number. Example: `+12025550100` */
            customer: string;
            /** Always true, also for a customer who was not blocked. */
            unblocked: true;
        };
        /** The result of an upload. */
        UploadResult: {
            /** Id of the upload. Example: `upl_01kb3m7y3t4d0v9v4k6q1t7r2d` */
            upload_id: string | null;
            /** Lines with recipients. Example: `48300` */
            rows: number;
            /** Recipients that were added. Example: `48211` */
            accepted: number;
            /** Lines that were rejected. Example: `62` */
            invalid: number;
            /** Lines with a recipient who is already in the list. Example: `27` */
            duplicates: number;
            /** The columns of the upload. */
            columns: string[];
            /** Recipients by country, largest first. */
            countries: {
                /** ISO 3166 code of the country; null if the number does not show it. Example: `PT` */
                country: string | null;
                /** Recipients. */
                count: number;
            }[];
            /** The first 100 invalid lines. */
            problems: {
                /** Line of the file, or place in the list. Example: `118` */
                line: number;
                /** The column that is wrong. Example: `to` */
                column: string | null;
                /** What is wrong. Example: `invalid_phone_number` */
                code: string;
                /** How to write it. Example: `Leave out the 0 after the country code +351.` */
                message: string;
            }[];
            /** Invalid lines. Example: `89` */
            problems_total: number;
        };
        /** A volume tier that Meta reports for a month. Amounts still use the list rate. */
        VolumeTier: {
            /** WhatsApp Business account. Example: `102290129340398` */
            waba_id: string;
            /** Month it applies to, in the time zone of the account. Example: `2026-11` */
            month: string;
            /** What Meta charges the messages as. Example: `utility` */
            category: string;
            /** Market, as Meta names it. Example: `India` */
            region: string;
            /** The first and last charged message of the month, in Meta's format. Example: `25000001:50000000` */
            tier: string;
            /** When the tier was reached. (date-time) */
            since: string;
        };
        /** A webhook with its state. */
        Webhook: {
            /** Id of the webhook, `whk_…`. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            id: string;
            /** Address of the receiver. Example: `https://shop.example.com/webhooks` */
            url: string;
            /** Event types the webhook gets. */
            events: string[];
            /** Whether events are delivered. */
            active: boolean;
            /** Whether payloads have no texts and names, and only the first and last digits of numbers: true when a caller without `messages:read` chose the address. */
            masked: boolean;
            /** Whether deliveries are signed: true when the webhook has a secret. */
            signed: boolean;
            /** Your note about the webhook. Example: `Shop backend` */
            description: string | null;
            /** Deliveries sent at the same time. Example: `16` */
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
                /** Result of the latest check. Example: `verified` */
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
                /** Events with at least one attempt. Example: `120` */
                total_sent: number;
                /** Events whose latest attempt failed. Example: `0` */
                total_failed: number;
                /** Percent of events delivered, with two decimals; 100 before the first. Example: `100` */
                success_rate: number;
            };
        };
        /** The fields to change. Fields that are left out stay as they are. `null` clears `secret`, `description` and `max_per_second`; for other fields it is the same as leaving them out. A request that changes nothing is rejected. */
        WebhookChanges: {
            /** Public https address of the receiver. Example: `https://shop.example.com/webhooks` */
            url?: string | null;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. Example: `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` */
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
            /** Public https address of the receiver. Example: `https://shop.example.com/webhooks` */
            url: string;
            /** Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything. */
            events: unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[];
            /** Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. Example: `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` */
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
            /** Type of the sample event. Example: `message.delivered` */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /** Id of the test in the log of the gateway. Tests are not stored, so no other call returns it. Example: `dlv_01ka3m7y3t4d0v9v4k6q1t7r2c` */
            delivery_id: string;
            /** Whether the receiver responded with status 2xx. */
            delivered: boolean;
            attempt: components["schemas"]["DeliveryAttempt"];
        };
        /** The sample to send. */
        WebhookTestRequest: {
            /** Type of the sample event. Example: `message.delivered` */
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
    getCurrentUser: {
        responses: { 200: Answer<components["schemas"]["CurrentUser"]>; };
    };
    refreshToken: {
        requestBody?: Json<components["schemas"]["RefreshRequest"]>;
        responses: { 200: Answer<components["schemas"]["AccessToken"]>; };
    };
    revokeToken: {
        requestBody?: Json<components["schemas"]["RevokeRequest"]>;
        responses: { 200: Answer<components["schemas"]["Revocation"]>; };
    };
    createToken: {
        requestBody?: Json<components["schemas"]["TokenRequest"]>;
        responses: { 200: Answer<components["schemas"]["AccessToken"]>; };
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
        parameters: {
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
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
    uploadMedia: {
        parameters: {
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Images: JPEG, PNG (5 MB). Documents: PDF, Word, Excel, PowerPoint, plain text (100 MB). Audio: AAC, AMR, M4A, MP3, OGG with Opus (16 MB). Video: MP4, 3GP (16 MB). Stickers: WebP (100 KB, animated 500 KB). 1 MB is 1,048,576 bytes. The bytes decide the type, not the name; the Content-Type of the part counts where they cannot, as for plain text. (binary) Example: `<bytes of receipt.pdf>` */
                    file: string;
                    /** Name to keep instead of the file's own; without path, line breaks or control characters. Example: `receipt.pdf` */
                    filename?: string;
                };
            };
        };
        responses: { 201: Answer<components["schemas"]["MediaFile"]>; };
    };
    getMedia: {
        parameters: {
            path: {
                /** Id of the file. */
                media_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["MediaFile"]>; };
    };
    deleteMedia: {
        parameters: {
            path: {
                /** Id of the file. */
                media_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["DeletedMedia"]>; };
    };
    getMediaContent: {
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
    listMessages: {
        parameters: {
            query?: {
                /** Messages per page. */
                limit?: number;
                /** `next_cursor` of the page before. */
                cursor?: string;
                /** Only messages you sent, or only those from customers. */
                direction?: "outbound" | "inbound";
                /** One or several of waiting, queued, sent, delivered, read, failed, canceled, received; comma separated. With `waiting` alone: the next to be sent first. */
                status?: string;
                /** Only messages of this type, for example `text`. */
                type?: string;
                /** Only messages with this customer: the phone number, or the WhatsApp user id. */
                phone_number?: string;
                /** Only messages of this template. */
                template?: string;
                /** Only messages with exactly this reference. */
                client_reference?: string;
                /** Only messages sent with this API key; its id. */
                api_key_id?: string;
                /** Only messages for which it is not known whether Meta accepted them. */
                outcome?: "unknown";
                /** Only messages created at or after this date or date-time. */
                since?: string;
                /** Only messages created before this date or date-time. */
                until?: string;
                /** Newest or oldest first. Default: `desc`; `asc` with the status `waiting` alone. */
                order?: "desc" | "asc";
            };
        };
        responses: { 200: Answer<components["schemas"]["MessageList"]>; };
    };
    cancelMessages: {
        requestBody: Json<components["schemas"]["CancelMessages"]>;
        responses: { 200: Answer<components["schemas"]["CanceledMessages"]>; };
    };
    sendContacts: {
        parameters: {
            query?: {
                /** Only check the request and return what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
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
    getMessage: {
        parameters: {
            path: {
                /** Id of the message. */
                message_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Message"]>; };
    };
    cancelMessage: {
        parameters: {
            path: {
                /** Id of the message. */
                message_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["CanceledMessage"]>; };
    };
    markMessageRead: {
        parameters: {
            path: {
                /** Id of the message. */
                message_id: string;
            };
        };
        requestBody?: Json<components["schemas"]["MarkRead"]>;
        responses: { 200: Answer<components["schemas"]["MarkedRead"]>; };
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
        parameters: {
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: Json<components["schemas"]["TemplateDraft"]>;
        responses: { 201: Answer<components["schemas"]["Template"]>; };
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
    previewTemplate: {
        parameters: {
            path: {
                /** Id of the template. */
                template_id: string;
            };
        };
        requestBody?: Json<components["schemas"]["TemplatePreviewRequest"]>;
        responses: { 200: Answer<components["schemas"]["TemplatePreview"]>; };
    };
    listEvents: {
        parameters: {
            query?: {
                /** Only events of this type. */
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
                /** Where to start: with the first event recorded at or after this time. Ignored with `cursor`, which remembers it. */
                since?: string;
                /** Only events of this message. */
                message_id?: string;
                /** `next_cursor` of the page before. */
                cursor?: string;
                /** Entries per page. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** A page of events. */
                        data: {
                            /** The events of this page, in order. */
                            events: components["schemas"]["Event"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    triggerEvent: {
        requestBody: Json<components["schemas"]["TriggerRequest"]>;
        responses: { 200: Answer<components["schemas"]["TriggeredEvent"]>; };
    };
    listenToEvents: {
        parameters: {
            query?: {
                /** Event types, separated by commas; `message.*` is all of a family. Default: everything. */
                events?: string;
                /** The `id` of the last event you handled; the stream continues after it. */
                cursor?: string;
                /** Without `cursor`: start with the events recorded since then instead of the next one. */
                since?: string;
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
    reportForwarded: {
        requestBody: Json<components["schemas"]["ForwardReport"]>;
        responses: { 200: Answer<components["schemas"]["ForwardRecord"]>; };
    };
    listWebhooks: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** The webhooks of the account. */
                        data: {
                            /** Every webhook of the account. */
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: Json<components["schemas"]["WebhookDraft"]>;
        responses: { 201: Answer<components["schemas"]["CreatedWebhook"]>; };
    };
    getWebhook: {
        parameters: {
            path: {
                /** Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: { 200: Answer<components["schemas"]["Webhook"]>; };
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
                            /** Id of the webhook, `whk_…`. Example: `whk_01ka3m7y3t4d0v9v4k6q1t7r2c` */
                            id: string;
                            /** Always true. */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listDeliveries: {
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
        responses: {
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** A page of deliveries. */
                        data: {
                            /** The deliveries of this page. */
                            deliveries: components["schemas"]["Delivery"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    getDelivery: {
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
    replayDeliveries: {
        parameters: {
            header?: {
                /** A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
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
