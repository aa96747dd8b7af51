// Generated from docs/api/openapi.json by scripts/generate.ts: change the schemas of the server.

export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An access token for the other calls. */
        AccessToken: {
            /**
             * @description The token. Treat it as opaque: its contents may change at any time.
             * @example eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJrZXlfMDEifQ.c2lnbmF0dXJl
             */
            access_token: string;
            /** @description Send the token as `Authorization: Bearer <token>`. */
            token_type: "Bearer";
            /**
             * @description Seconds until the token expires. It is accepted for up to 30 seconds longer, because clocks differ; do not rely on that.
             * @example 3600
             */
            expires_in: number;
        };
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
                 * @description Messages of customers that quote one of these.
                 * @example 9
                 */
                replies: number;
                /**
                 * @description Taps on the quick-reply buttons and list rows of these messages.
                 * @example 21
                 */
                taps: number;
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
                 * @description What arrived on the days of the range costs, one sum for each currency. A message counts on the day of its delivery, by midnight of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and grouped by error code.
                 * @example null
                 */
                costs: components["schemas"]["Cost"][] | null;
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
                     * @description Messages of customers that quote one of these.
                     * @example 9
                     */
                    replies: number;
                    /**
                     * @description Taps on the quick-reply buttons and list rows of these messages.
                     * @example 21
                     */
                    taps: number;
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
                     * @description What arrived on the days of the range costs, one sum for each currency. A message counts on the day of its delivery, by midnight of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and grouped by error code.
                     * @example null
                     */
                    costs: components["schemas"]["Cost"][] | null;
                };
                /** @description One entry per hour, day or month, in order; none with `points=false`. */
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
                 * @description Whether Meta says that it charges nothing for them.
                 * @example false
                 */
                free: boolean;
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
             * @description Messages of customers that quote one of these.
             * @example 9
             */
            replies: number;
            /**
             * @description Taps on the quick-reply buttons and list rows of these messages.
             * @example 21
             */
            taps: number;
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
            /** @description Stable code of the error. New codes may be added; none is renamed within v1. */
            code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "rate_card_invalid" | "budget_exceeded" | "budget_needs_rates" | "budget_not_found" | "budget_limit_reached" | "rate_card_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "message_not_cancelable" | "message_expired" | "broadcast_state" | "broadcast_empty" | "broadcast_too_large" | "broadcast_changed" | "cost_limit_exceeded" | "upload_in_progress" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "connection_callback_missing" | "connection_handshake_failed" | "conversation_assigned_elsewhere" | "saved_reply_limit_reached" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "account_switched" | "two_factor_setup_required" | "password_sign_in_off" | "cross_site_request" | "last_owner" | "signup_not_available" | "signup_rejected" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "operator_only_here" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "account_not_found" | "session_not_found" | "api_key_not_found" | "signup_not_found" | "link_not_found" | "channel_not_found" | "customer_not_found" | "saved_reply_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "broadcast_not_found" | "upload_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "queue_full" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "sign_in_provider_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
            /** @description Group of the code, for clients that do not know the code itself. */
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
                /** @description Which limit of the plan was reached. */
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
        /** @description A person of your team who can reply to customers. */
        Assignee: {
            /**
             * @description Id of the person.
             * @example usr_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            user_id: string;
            /**
             * @description Name of the person.
             * @example Bea
             */
            name: string;
        };
        /**
         * @description Who replies to the customer.
         * @example {
         *       "assignee": "usr_01jqzk3v8m4n2p6r9t0w5x7y1z",
         *       "if_assignee": null
         *     }
         */
        AssigneeChange: {
            /**
             * @description Id of a person of your team, from GET /v1/chat/assignees; `me` for the signed-in person.
             * @example usr_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            assignee: string | null;
            /**
             * @description The assignee that you saw. The change is rejected if it is someone else by now; null: nobody.
             * @example null
             */
            if_assignee?: string | null;
        };
        /** @description Everybody who can be assigned to a conversation. */
        AssigneeList: {
            /** @description Members whose role may reply to customers. */
            assignees: components["schemas"]["Assignee"][];
        };
        /** @description Ice breakers and commands of a number, as Meta has them now. */
        Automation: {
            /**
             * @description The WhatsApp number.
             * @example +351210000000
             */
            phone_number: string;
            /**
             * @description Questions that a first chat offers.
             * @example [
             *       "Where is my order?"
             *     ]
             */
            prompts: string[];
            /** @description What customers see when they type a slash. */
            commands: {
                /**
                 * @description What customers type after the slash.
                 * @example order
                 */
                name: string;
                /**
                 * @description What it does.
                 * @example Where is my order?
                 */
                description: string;
            }[];
        };
        /**
         * @description Ice breakers and commands. A list that is not given stays; an empty one removes all.
         * @example {
         *       "prompts": [
         *         "Where is my order?"
         *       ],
         *       "commands": [
         *         {
         *           "name": "order",
         *           "description": "Where is my order?"
         *         }
         *       ]
         *     }
         */
        AutomationChange: {
            /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description At most 4 of up to 80 characters; replaces all. Meta shows 3 or 4. */
            prompts?: string[];
            /** @description At most 30; replaces all. */
            commands?: {
                /**
                 * @description What customers type after the slash: letters, digits and _.
                 * @example order
                 */
                name: string;
                /**
                 * @description What it does.
                 * @example Where is my order?
                 */
                description: string;
            }[];
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
                /** @description Why, as a code of the error table. */
                code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "rate_card_invalid" | "budget_exceeded" | "budget_needs_rates" | "budget_not_found" | "budget_limit_reached" | "rate_card_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "two_factor_already_on" | "two_factor_not_on" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "message_not_cancelable" | "message_expired" | "broadcast_state" | "broadcast_empty" | "broadcast_too_large" | "broadcast_changed" | "cost_limit_exceeded" | "upload_in_progress" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_blocked" | "block_window_closed" | "block_list_full" | "recipient_marketing_limited" | "recipient_in_experiment" | "recipient_country_restricted" | "recipient_is_sender" | "recipient_number_required" | "recipient_not_allowed" | "message_type_not_supported" | "thread_owned_elsewhere" | "max_price_not_available" | "flow_unavailable" | "template_not_approved" | "template_paused" | "template_disabled" | "template_syncing" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "customer_media_unavailable" | "webhook_url_not_allowed" | "webhook_inactive" | "connection_limit_reached" | "connection_secret_not_prepared" | "connection_callback_missing" | "connection_handshake_failed" | "conversation_assigned_elsewhere" | "saved_reply_limit_reached" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "two_factor_required" | "two_factor_code_invalid" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "account_switched" | "two_factor_setup_required" | "password_sign_in_off" | "cross_site_request" | "last_owner" | "signup_not_available" | "signup_rejected" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "operator_only_here" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_spam_limited" | "channel_utility_limited" | "channel_payment_missing" | "channel_payment_terms_missing" | "channel_marketing_not_enabled" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "account_not_found" | "session_not_found" | "api_key_not_found" | "signup_not_found" | "link_not_found" | "channel_not_found" | "customer_not_found" | "saved_reply_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "broadcast_not_found" | "upload_not_found" | "connection_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "queue_full" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "sign_in_provider_unavailable" | "upstream_unavailable" | "control_outcome_unknown" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_gone" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
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
        /** @description A broadcast with its progress. */
        Broadcast: {
            /**
             * @description Id of the broadcast.
             * @example bct_01kb3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Your name for it; recipients never see it.
             * @example Spring sale
             */
            name: string;
            /** @description What it is doing. */
            status: "draft" | "scheduled" | "running" | "paused" | "completed" | "canceled";
            /**
             * @description Why it is held or paused; null otherwise. Held, it goes on by itself and stays `running`: `messaging_limit`, `quota`, `quiet_hours`, `meta_unavailable`, `channel`, `template_paused`, `account_suspended`. Paused, it waits for a person: all others.
             * @example null
             */
            reason: ("messaging_limit" | "quota" | "quiet_hours" | "meta_unavailable" | "channel" | "template_paused" | "account_suspended" | "template_rejected" | "template_changed" | "quality_low" | "restricted" | "payment_missing" | "restored" | "key_revoked" | "too_many_failures" | "budget" | "by_person") | null;
            /**
             * @description While it is held; null otherwise.
             * @example null
             */
            hold: {
                /** @description The reason. */
                reason: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description When it looks again.
                 */
                until: string | null;
            } | null;
            /**
             * @description The WhatsApp number it sends from.
             * @example +15550100001
             */
            from: string | null;
            /**
             * @description Name of the template.
             * @example spring_sale
             */
            template: string;
            /**
             * @description Language code of the template.
             * @example pt_PT
             */
            language: string;
            /**
             * @description Its values with `{{columns}}`.
             * @example [
             *       {
             *         "type": "body",
             *         "parameters": [
             *           {
             *             "type": "text",
             *             "text": "{{first_name|customer}}"
             *           },
             *           {
             *             "type": "text",
             *             "text": "{{code}}"
             *           }
             *         ]
             *       }
             *     ]
             */
            components: unknown[] | null;
            /**
             * @description The columns that the values name.
             * @example [
             *       "first_name",
             *       "code"
             *     ]
             */
            columns: string[];
            /** @description When nothing is sent. A recipient whose turn falls into them waits for their end. */
            quiet_hours: {
                /**
                 * @description When they begin, as HH:MM.
                 * @example 21:00
                 */
                from: string;
                /**
                 * @description When they end, as HH:MM; before `from` means the next day.
                 * @example 08:00
                 */
                to: string;
                /**
                 * @description `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`.
                 * @example recipient
                 */
                time_zone: string;
            } | null;
            /** @description Seconds after the start in which it may still send; what is left then has expired. Default: 259200. */
            valid_for: number;
            /** @description Sends at most this many messages a second. Default: as many as the number has room for. */
            max_per_second: number | null;
            /** @description Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are complete in any case. Default: `all`. */
            message_events: "all" | "failed" | "none";
            /** @description `accepted` is always the sum of all others but `delivered` and `read`, which are parts of `sent`. */
            counts: {
                /** @description Recipients. */
                accepted: number;
                /** @description Their turn has not come. */
                waiting: number;
                /** @description Meta is being called, or the result is not counted yet. */
                under_way: number;
                /** @description Meta accepted the message. */
                sent: number;
                /** @description It reached the phone. */
                delivered: number;
                /** @description The recipient opened it. */
                read: number;
                /** @description It will not arrive. */
                failed: number;
                /** @description Nobody knows whether Meta has the message; it is never sent again. */
                unknown: number;
                /** @description Nothing was sent, for the reasons in `skipped`. */
                skipped: number;
                /** @description Their turn did not come in time. */
                expired: number;
                /** @description The broadcast was canceled before their turn. */
                canceled: number;
            };
            /**
             * @description Recipients that were skipped, by reason: `opted_out`, `blocked`, `duplicate`, `erased`, or the code of the error that sending to them would have had.
             * @example {
             *       "opted_out": 9
             *     }
             */
            skipped: {
                [key: string]: number;
            };
            /** @description Failed messages by error code, the most frequent first. */
            failures: {
                /**
                 * @description Error code.
                 * @example recipient_unreachable
                 */
                code: string;
                /** @description How many messages failed with it. */
                count: number;
            }[];
            /**
             * @description While it runs and is not held; null otherwise.
             * @example null
             */
            rate: {
                /** @description Messages a second it may send. */
                per_second: number;
                /**
                 * Format: date-time
                 * @description When everybody has had their turn at this rate.
                 */
                ends_at: string;
            } | null;
            /**
             * @description What the delivered messages cost, by the rate cards of their days; null until one of them has a price.
             * @example null
             */
            cost: {
                /**
                 * @description The amount.
                 * @example 475.8880
                 */
                amount: string;
                /**
                 * @description Its currency.
                 * @example EUR
                 */
                currency: string;
                /**
                 * @description Delivered messages with a price.
                 * @example 9712
                 */
                priced: number;
                /**
                 * @description Delivered messages for which no rate card has a rate.
                 * @example 0
                 */
                unpriced: number;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it is to start.
             * @example null
             */
            start_at: string | null;
            /**
             * Format: date-time
             * @description When it started.
             * @example null
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description It sends nothing after this time.
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When everybody had a result, or when it was canceled.
             * @example null
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description When the results were counted.
             */
            as_of: string;
        };
        /**
         * @description What is to change. `from`, `template`, `language` and `components` can be changed as long as it is a draft.
         * @example {
         *       "name": "Spring sale, second try"
         *     }
         */
        BroadcastChanges: {
            /**
             * @description Your name for it; recipients never see it.
             * @example Spring sale
             */
            name?: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string;
            /**
             * @description Name of the template.
             * @example spring_sale
             */
            template?: string;
            /**
             * @description Language code of the template.
             * @example pt_PT
             */
            language?: string;
            /** @description Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|instead}}` says what stands there where it is empty. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** @description When nothing is sent. A recipient whose turn falls into them waits for their end. */
            quiet_hours?: {
                /**
                 * @description When they begin, as HH:MM.
                 * @example 21:00
                 */
                from: string;
                /**
                 * @description When they end, as HH:MM; before `from` means the next day.
                 * @example 08:00
                 */
                to: string;
                /**
                 * @description `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`.
                 * @example recipient
                 */
                time_zone: string;
            } | null;
            /** @description Seconds after the start in which it may still send; what is left then has expired. Default: 259200. */
            valid_for?: number;
            /** @description Sends at most this many messages a second. Default: as many as the number has room for. */
            max_per_second?: number | null;
            /** @description Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are complete in any case. Default: `all`. */
            message_events?: "all" | "failed" | "none";
        };
        /**
         * @description Recipients to copy into a new draft.
         * @example {
         *       "results": [
         *         "failed"
         *       ]
         *     }
         */
        BroadcastCopy: {
            /**
             * @description Your name for it; recipients never see it.
             * @example Spring sale
             */
            name?: string | null;
            /**
             * @description Whom to copy, by result.
             * @example [
             *       "failed"
             *     ]
             */
            results: ("waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled")[];
            /** @description Of those, only with these codes. */
            codes?: string[] | null;
            /** @description Needed for `waiting`, `unknown`, and results with a message: these people may get a second one. Also copies who was skipped as a `duplicate`. Default: false. */
            accept_duplicates?: boolean | null;
        };
        /**
         * @description A broadcast to create.
         * @example {
         *       "name": "Orders of May",
         *       "template": "order_confirmation",
         *       "language": "en_US",
         *       "components": [
         *         {
         *           "type": "body",
         *           "parameters": [
         *             {
         *               "type": "text",
         *               "text": "{{first_name|customer}}"
         *             },
         *             {
         *               "type": "text",
         *               "text": "{{order}}"
         *             },
         *             {
         *               "type": "text",
         *               "text": "{{total}}"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        BroadcastDraft: {
            /**
             * @description Your name for it; recipients never see it.
             * @example Spring sale
             */
            name: string;
            /** @description The WhatsApp number to send from: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /**
             * @description Name of the template.
             * @example spring_sale
             */
            template: string;
            /**
             * @description Language code of the template.
             * @example pt_PT
             */
            language: string;
            /** @description Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|instead}}` says what stands there where it is empty. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
            /** @description When nothing is sent. A recipient whose turn falls into them waits for their end. */
            quiet_hours?: {
                /**
                 * @description When they begin, as HH:MM.
                 * @example 21:00
                 */
                from: string;
                /**
                 * @description When they end, as HH:MM; before `from` means the next day.
                 * @example 08:00
                 */
                to: string;
                /**
                 * @description `recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`.
                 * @example recipient
                 */
                time_zone: string;
            } | null;
            /** @description Seconds after the start in which it may still send; what is left then has expired. Default: 259200. */
            valid_for?: number | null;
            /** @description Sends at most this many messages a second. Default: as many as the number has room for. */
            max_per_second?: number | null;
            /** @description Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are complete in any case. Default: `all`. */
            message_events?: ("all" | "failed" | "none") | null;
            /** @description The recipients, up to 1,000. */
            recipients?: {
                /**
                 * @description Phone number in international format, or a WhatsApp user id.
                 * @example +12025550100
                 */
                to: string;
                /**
                 * @description The values of the columns, each a text, a number, true or false.
                 * @example {
                 *       "first_name": "Ana",
                 *       "code": "SPRING10"
                 *     }
                 */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** @description Your own reference; the message repeats it. */
                client_reference?: string | null;
                /**
                 * @description IANA time zone of the recipient.
                 * @example Europe/Lisbon
                 */
                time_zone?: string | null;
            }[] | null;
            /** @description Start at once. Needs `recipients`, all of them valid. Default: false. */
            start?: boolean | null;
            /**
             * @description When to start: up to 30 days ahead, and no longer than the operator keeps message contents.
             * @example 2026-12-01T09:00:00+00:00
             */
            start_at?: string | null;
        };
        /** @description What a broadcast would do now. */
        BroadcastEstimate: {
            /** @description Recipients whose turn has not come. */
            recipients: number;
            /** @description Recipients by country, the most first. */
            countries: {
                /**
                 * @description ISO 3166 code of the country; null where the number does not tell.
                 * @example PT
                 */
                country: string | null;
                /** @description Recipients. */
                count: number;
            }[];
            /**
             * @description Recipients who would be skipped, by reason.
             * @example {
             *       "opted_out": 9,
             *       "blocked": 2
             *     }
             */
            skipped: {
                [key: string]: number;
            };
            /**
             * @description Category of the template.
             * @example marketing
             */
            category: string | null;
            /**
             * @description Null without a rate card for every country.
             * @example null
             */
            cost: {
                /** @description At most this. */
                amount: string;
                /** @description Its currency. */
                currency: string;
                /** @description What it was computed from. */
                basis: string;
            } | null;
            /** @description Messages a second it may send. */
            per_second: number;
            /** @description How long it would take; null where a limit makes that impossible to tell. */
            duration_seconds: number | null;
            /** @description What limits it most. */
            limited_by: "number_rate" | "max_per_second" | "quota" | "messaging_limit";
            /**
             * Format: date-time
             * @description When it would end if it started now, quiet hours left out.
             */
            ends_at: string | null;
            /** @description Whether it would end within `valid_for`. */
            fits_valid_for: boolean;
            /**
             * Format: date-time
             * @description When it was computed.
             */
            as_of: string;
        };
        /** @description Broadcasts, newest first. */
        BroadcastList: {
            /** @description The broadcasts of the page. */
            broadcasts: components["schemas"]["Broadcast"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The message as a recipient would see it. */
        BroadcastPreview: {
            /** @description Line of the recipient. */
            line: number;
            /**
             * @description The recipient.
             * @example +12025550100
             */
            to: string;
            /**
             * @description The rendered message.
             * @example {
             *       "body": "Hello Ana"
             *     }
             */
            content: {
                [key: string]: unknown;
            };
        };
        /** @description Which recipient to show. */
        BroadcastPreviewRequest: {
            /** @description Line of the last upload that added recipients. Default: its first recipient. */
            line?: number | null;
        };
        /** @description A recipient and what became of them. */
        BroadcastRecipient: {
            /** @description Line of the upload. */
            line: number;
            /**
             * @description Id of the upload.
             * @example upl_01kb3m7y3t4d0v9v4k6q1t7r2d
             */
            upload_id: string;
            /**
             * @description The recipient; null when they were erased.
             * @example +12025550100
             */
            to: string | null;
            /**
             * @description Your reference.
             * @example null
             */
            client_reference: string | null;
            /** @description What became of them. */
            result: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
            /**
             * @description Error code of a failure, or the reason of a skip.
             * @example null
             */
            code: string | null;
            /**
             * @description Id of the message.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string | null;
            /**
             * Format: date-time
             * @description When Meta accepted it.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When it reached the phone.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When it was opened.
             * @example null
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @description When it failed.
             * @example null
             */
            failed_at: string | null;
        };
        /** @description Recipients in their order. */
        BroadcastRecipients: {
            /** @description The recipients of the page. */
            recipients: components["schemas"]["BroadcastRecipient"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description How to start.
         * @example {
         *       "recipients": 48211
         *     }
         */
        BroadcastStart: {
            /**
             * @description When to start: up to 30 days ahead, and no longer than the operator keeps message contents.
             * @example 2026-12-01T09:00:00+00:00
             */
            start_at?: string | null;
            /** @description How many recipients you expect; another number is rejected. */
            recipients?: number | null;
            /** @description An amount of money. */
            max_cost?: {
                /**
                 * @description A decimal number.
                 * @example 500
                 */
                amount: string;
                /**
                 * @description ISO 4217 code.
                 * @example EUR
                 */
                currency: string;
            } | null;
        };
        /** @description Messages that were really sent, and count and cost as such. */
        BroadcastTest: {
            /** @description One for each of `to`. */
            messages: {
                /**
                 * @description The recipient.
                 * @example +12025550100
                 */
                to: string;
                /**
                 * @description Id of the message; null where it was not sent.
                 * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
                 */
                message_id: string | null;
                /**
                 * @description Why it was not sent; null otherwise.
                 * @example null
                 */
                error: {
                    /** @description Error code. */
                    code: string;
                    /** @description What happened. */
                    message: string;
                } | null;
            }[];
        };
        /** @description Whom to send a test to. */
        BroadcastTestRequest: {
            /**
             * @description Up to 5 phone numbers.
             * @example [
             *       "+12025550100"
             *     ]
             */
            to: string[];
            /** @description Line of the last upload that added recipients. Default: its first recipient. */
            line?: number | null;
        };
        /** @description What an account lets itself spend in a day or month, and how much of it is used. */
        Budget: {
            /**
             * @description Id of the budget.
             * @example bdg_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            budget_id: string;
            /**
             * @description Your name for it.
             * @example Marketing
             */
            name: string;
            /**
             * @description The API key whose sends count; null for everything the account sends.
             * @example key_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            api_key_id: string | null;
            /** @description In the time zone of the WhatsApp Business account. */
            period: "day" | "month";
            /**
             * @description The currency of all amounts.
             * @example EUR
             */
            currency: string;
            /**
             * @description What may be spent in a period.
             * @example 500.0000
             */
            limit: string;
            /**
             * @description The percentage at which `budget.warned` is sent.
             * @example 80
             */
            warn_at: number;
            /** @description Whether sends without room are rejected. */
            stop: boolean;
            /**
             * @description Categories that are never stopped.
             * @example [
             *       "authentication"
             *     ]
             */
            exempt: string[];
            /** @description How much is used: below `warn_at`, below the limit, or all. A send that costs more than what is `left` is rejected before that. */
            state: "ok" | "warned" | "exceeded";
            /**
             * @description The first day of this period.
             * @example 2026-11-01
             */
            period_start: string;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            starts_anew_at: string;
            /**
             * @description What messages on their way cost at most.
             * @example 1.2000
             */
            reserved: string;
            /**
             * @description What delivered messages cost.
             * @example 124.5000
             */
            spent: string;
            /**
             * @description What may still be spent; 0 when more is used than the limit.
             * @example 374.3000
             */
            left: string;
            /** @description False when no rate card of the currency holds today: messages are sent and counted without a price. */
            has_rates: boolean;
            /**
             * Format: date-time
             * @description When it was set.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /**
         * @description What is left out stays.
         * @example {
         *       "limit": "750.00"
         *     }
         */
        BudgetChange: {
            /**
             * @description Your name for it.
             * @example Marketing
             */
            name?: string;
            /**
             * @description What may be spent in a period, as a decimal number.
             * @example 500.00
             */
            limit?: string;
            /**
             * @description The percentage at which `budget.warned` is sent. Default: 80.
             * @example 80
             */
            warn_at?: number;
            /** @description Whether sends without room are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /**
             * @description Categories that are never stopped and reserve nothing; what they cost still counts as spent. Default: authentication.
             * @example [
             *       "authentication"
             *     ]
             */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
        };
        /** @description The budget is gone. */
        BudgetDeleted: {
            /**
             * @description Id of the budget.
             * @example bdg_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            budget_id: string;
            /**
             * @description Always true.
             * @example true
             */
            deleted: boolean;
        };
        /** @description The budgets of the account, the oldest first. */
        BudgetList: {
            /** @description At most 20. */
            budgets: components["schemas"]["Budget"][];
        };
        /**
         * @description What an account lets itself spend.
         * @example {
         *       "name": "Marketing",
         *       "limit": "500.00",
         *       "period": "month",
         *       "currency": "EUR"
         *     }
         */
        BudgetRequest: {
            /**
             * @description Your name for it.
             * @example Marketing
             */
            name: string;
            /**
             * @description What may be spent in a period, as a decimal number.
             * @example 500.00
             */
            limit: string;
            /**
             * @description A calendar day or month in the time zone of the WhatsApp Business account.
             * @example month
             */
            period: "day" | "month";
            /**
             * @description The currency in which Meta bills the numbers whose messages count.
             * @example USD
             */
            currency: string;
            /** @description Only what is sent with this API key; its id. Default: everything the account sends. */
            api_key_id?: string | null;
            /**
             * @description The percentage at which `budget.warned` is sent. Default: 80.
             * @example 80
             */
            warn_at?: number;
            /** @description Whether sends without room are rejected. Default: true; with false, the budget only notifies you. */
            stop?: boolean;
            /**
             * @description Categories that are never stopped and reserve nothing; what they cost still counts as spent. Default: authentication.
             * @example [
             *       "authentication"
             *     ]
             */
            exempt?: ("authentication" | "marketing" | "service" | "utility")[];
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
        /**
         * @description Which messages to cancel.
         * @example {
         *       "client_reference": "visit-77"
         *     }
         */
        CancelMessages: {
            /** @description Your reference, as given with the sends. */
            client_reference: string;
        };
        /** @description The message that was canceled. */
        CanceledMessage: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /** @description Always `canceled`. */
            status: "canceled";
            /**
             * Format: date-time
             * @description When it was canceled.
             */
            canceled_at: string;
        };
        /** @description What was canceled. */
        CanceledMessages: {
            /**
             * @description How many messages were canceled. Those that did not wait any more are not counted.
             * @example 3
             */
            canceled: number;
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
            /** @description `pass` gives the conversation to another responder, `release` lets Meta route the customer's next message. `take` is for the escalation partner alone. */
            action: "pass" | "release" | "take";
            /** @description Who gets the conversation with `pass`. Default: the escalation partner. */
            role?: ("ai_agent" | "ctwa" | "customer_service" | "escalation" | "marketing" | "utility") | null;
            /** @description For the next responder. */
            note?: string | null;
        };
        /** @description What is written with a customer, and who replies. */
        Conversation: {
            /**
             * @description Id of the customer.
             * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            customer_id: string;
            /**
             * @description The phone number or user id of the customer.
             * @example +12025550100
             */
            customer: string;
            /**
             * @description Name in their WhatsApp profile, if they have written.
             * @example Ana
             */
            name: string | null;
            /**
             * @description Your number that they wrote to last.
             * @example +15550100001
             */
            phone_number: string | null;
            /** @description A new message of the customer opens a closed conversation. */
            state: "open" | "closed";
            /** @description Who replies to the customer; null: nobody in particular. */
            assignee: {
                /**
                 * @description Id of the person.
                 * @example usr_01jqzk3v8m4n2p6r9t0w5x7y1z
                 */
                user_id: string;
                /**
                 * @description Name of the person.
                 * @example Bea
                 */
                name: string;
            } | null;
            /**
             * Format: date-time
             * @description Since when the assignee has it.
             */
            assigned_at: string | null;
            /**
             * @description Messages that nobody has read.
             * @example 1
             */
            unread: number;
            /**
             * Format: date-time
             * @description When the first message came that has no reply yet.
             */
            waiting_since: string | null;
            /**
             * Format: date-time
             * @description When the customer last wrote.
             */
            last_inbound_at: string | null;
            /**
             * Format: date-time
             * @description When the customer last wrote, or a person last replied.
             */
            active_at: string;
            /**
             * Format: date-time
             * @description When it was closed.
             */
            closed_at: string | null;
            /** @description 24-hour window that opens with each message of the customer. */
            window: {
                /** @description Whether you may send more than templates now. */
                state: "open" | "closed" | "unknown";
                /**
                 * Format: date-time
                 * @description 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen.
                 */
                expires_at: string | null;
            };
            /** @description The newest message in either direction. */
            last_message: {
                /**
                 * @description Id of the message.
                 * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
                 */
                message_id: string;
                /** @description `outbound` is sent by you. */
                direction: "outbound" | "inbound";
                /**
                 * @description Type of the message.
                 * @example text
                 */
                type: string;
                /**
                 * @description Status of the message.
                 * @example received
                 */
                status: string;
                /**
                 * @description Name of the template, if it is one.
                 * @example null
                 */
                template: string | null;
                /**
                 * @description The beginning of what it says.
                 * @example Where is my order?
                 */
                preview: string | null;
                /**
                 * @description Why it was not sent or delivered.
                 * @example null
                 */
                error_code: string | null;
                /**
                 * Format: date-time
                 * @description When the gateway got it.
                 */
                created_at: string;
            } | null;
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
        /** @description A page of conversations. */
        ConversationList: {
            /** @description The conversations of this page. */
            conversations: components["schemas"]["Conversation"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What messages cost in one currency. */
        Cost: {
            /**
             * @description Currency in which Meta bills the WhatsApp Business account; null while Meta has not told it.
             * @example EUR
             */
            currency: string | null;
            /**
             * @description Sum of the messages that have a price, as a decimal number; null when none has.
             * @example 475.8880
             */
            amount: string | null;
            /**
             * @description Delivered messages in the amount, free ones included.
             * @example 9712
             */
            priced: number;
            /**
             * @description Messages that Meta names free.
             * @example 311
             */
            free: number;
            /**
             * @description Delivered messages without a rate: no card of the day, or none for the country or category.
             * @example 0
             */
            unpriced: number;
            /**
             * @description Meta's own figure for the same, which it calls approximate; null where Meta tells none: for groupings and filters other than country, day and `pricing_category`, in analytics, and for accounts on the credit line of a partner.
             * @example 476.0000
             */
            reported: string | null;
        };
        /** @description What delivered messages cost, by the rate cards that are imported. */
        Costs: {
            /**
             * @description First day.
             * @example 2026-11-01
             */
            from: string;
            /**
             * @description The day after the last one.
             * @example 2026-12-01
             */
            to: string;
            /**
             * @description How the groups are divided.
             * @example []
             */
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "broadcast" | "day" | "pricing_category")[];
            /**
             * Format: date-time
             * @description When it was counted.
             */
            as_of: string;
            /** @description By whose midnight days begin: the time zones of your WhatsApp Business accounts, as far as Meta told them; otherwise UTC. */
            time_zones: string[];
            /** @description One sum for each currency; empty when nothing was delivered. */
            totals: components["schemas"]["Cost"][];
            /** @description The most expensive first, days in their order; empty without `group_by`. */
            groups: {
                /** @description One value per grouping; null where messages have none. */
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
                    /** @description The broadcast of this group. */
                    broadcast?: string | null;
                    /** @description The day of this group. */
                    day?: string | null;
                    /** @description The pricing category of this group. */
                    pricing_category?: string | null;
                };
                /** @description One sum for each currency. */
                costs: components["schemas"]["Cost"][];
            }[];
            /**
             * @description Groups beyond `limit_groups`.
             * @example 0
             */
            groups_left_out: number;
            /**
             * Format: date-time
             * @description When Meta was last asked for its figures, which is done once a day; null before the first time.
             */
            reported_as_of: string | null;
            /** @description The newest tier of each account, category and market in the months of these days, the newest month first; empty while Meta reports none. */
            volume_tiers: components["schemas"]["VolumeTier"][];
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
        /** @description The account and the API key of the call, what the call may do, and the remaining quota of the plan. */
        CurrentUser: {
            /** @description The account the API key belongs to. */
            account: {
                /**
                 * @description Id of the account.
                 * @example acc_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                id: string;
                /**
                 * @description Name of the account.
                 * @example Acme Store
                 */
                name: string;
                /**
                 * @description Plan of the account; it sets the limits.
                 * @example starter
                 */
                plan: "free" | "starter" | "professional" | "enterprise";
                /**
                 * @description `active` or `suspended`.
                 * @example active
                 */
                status: string;
                /**
                 * Format: date-time
                 * @description When the account was created.
                 */
                created_at: string;
            };
            /** @description The API key of the call. */
            api_key: {
                /**
                 * @description Id of the API key.
                 * @example key_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                id: string;
                /**
                 * @description Name of the API key.
                 * @example Checkout
                 */
                name: string;
                /**
                 * @description The API key, shortened.
                 * @example ptk_8Fq2…x91T
                 */
                key: string;
                /**
                 * Format: date-time
                 * @description When the key was created.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the key expires; null when it does not.
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description When the key was last used, also to get a token or for a call that was rejected. Noted once a minute.
                 */
                last_used_at: string | null;
            };
            /** @description The person who created the key; the owner of the account for a key made on the command line. */
            user: {
                /**
                 * @description Id of the person.
                 * @example usr_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                id: string;
                /**
                 * @description Name of the person.
                 * @example Ana
                 */
                name: string;
                /**
                 * @description Email address of the person, if known.
                 * @example ana@example.com
                 */
                email: string | null;
            };
            /** @description The access token of the call; null for Basic credentials. */
            token: {
                /**
                 * @description Id of the token.
                 * @example tok_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the token was issued.
                 */
                issued_at: string;
                /**
                 * Format: date-time
                 * @description When the token expires.
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description Until when `POST /v1/auth/refresh` accepts the token.
                 */
                refreshable_until: string;
            } | null;
            /**
             * @description What the call may do.
             * @example [
             *       "messages:send",
             *       "messages:read"
             *     ]
             */
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[];
            /** @description The connection to WhatsApp. */
            channel: {
                /**
                 * @description Whether a WhatsApp number is connected.
                 * @example true
                 */
                connected: boolean;
                /**
                 * @description Whether Meta has verified the business.
                 * @example true
                 */
                business_verified: boolean;
                /** @description Your WhatsApp numbers. */
                phone_numbers: {
                    /**
                     * @description Id of the number.
                     * @example pn_01ka3m7y3t4d0v9v4k6q1t7r2c
                     */
                    id: string;
                    /**
                     * @description The number in international format.
                     * @example +15550100001
                     */
                    phone_number: string;
                    /**
                     * @description Name that customers see.
                     * @example Acme Store
                     */
                    display_name: string | null;
                    /**
                     * @description Quality rating by Meta: `high`, `medium` or `low`.
                     * @example high
                     */
                    quality: string | null;
                    /**
                     * @description Whether its channel works. `no_callbacks`: messages can be sent, but Meta reports no statuses and no incoming messages to this gateway. `auth_failed`: Meta rejects the access token, so nothing can be sent.
                     * @example connected
                     */
                    status: "connected" | "no_callbacks" | "auth_failed";
                    /**
                     * @description Whether sends without `from` use this number.
                     * @example true
                     */
                    default: boolean;
                }[];
            };
            /** @description What is left of the plan. */
            limits: {
                /** @description The limit per hour; null on a plan without one. */
                hour: {
                    /**
                     * @description Requests the plan allows per hour.
                     * @example 1000
                     */
                    quota: number;
                    /**
                     * @description Requests made in this hour.
                     * @example 12
                     */
                    used: number;
                    /**
                     * @description Requests left in this hour.
                     * @example 988
                     */
                    remaining: number;
                    /**
                     * Format: date-time
                     * @description When the hour ends, in UTC.
                     */
                    resets_at: string;
                } | null;
                /** @description The limit per day; null on a plan without one. */
                day: {
                    /**
                     * @description Requests the plan allows per day.
                     * @example 1000
                     */
                    quota: number;
                    /**
                     * @description Requests made in this day.
                     * @example 12
                     */
                    used: number;
                    /**
                     * @description Requests left in this day.
                     * @example 988
                     */
                    remaining: number;
                    /**
                     * Format: date-time
                     * @description When the day ends, in UTC.
                     */
                    resets_at: string;
                } | null;
                /** @description Storage of files. */
                media_bytes: {
                    /**
                     * @description Bytes the plan allows; null without a limit.
                     * @example 5368709120
                     */
                    quota: number | null;
                    /**
                     * @description Bytes of the files stored now.
                     * @example 48213
                     */
                    used: number;
                };
            };
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
                /** @description What it is at WhatsApp. */
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
                    /** @description Whether you may send more than templates now. */
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
                /** @description `outbound` is sent by you. */
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
                /** @description What it is at WhatsApp. */
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
        /** @description A broadcast that was deleted. */
        DeletedBroadcast: {
            /**
             * @description Id of the broadcast.
             * @example bct_01kb3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /** @description Always `true`. */
            deleted: true;
        };
        /** @description The file that was deleted. */
        DeletedMedia: {
            /**
             * @description Id of the file.
             * @example med_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            media_id: string;
            /** @description Always true. */
            deleted: true;
        };
        /** @description The template that was deleted. */
        DeletedTemplate: {
            /**
             * @description Id of the template.
             * @example tpl_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /** @description Always true. */
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
            /** @description What started the attempt. */
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
        DeliveryWithAttempts: components["schemas"]["Delivery"] & {
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
            /** @description Always true. */
            dry_run: true;
            /** @description Whether the same request without `dry_run` would be sent now. */
            would_send: boolean;
            /** @description Type of the message that would be sent. */
            type: string | null;
            /** @description `text` or `template`, when the request has a `fallback`. */
            used: string | null;
            /** @description 24-hour window that opens with each message of the customer. */
            window: {
                /** @description Whether you may send more than templates now. */
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
            /** @description What the message would cost today, at most; null without the scope `costs:read`, or when it would not be sent. */
            estimate: {
                /**
                 * @description In which Meta bills the account.
                 * @example EUR
                 */
                currency: string | null;
                /**
                 * @description Null when no rate card has a rate for it.
                 * @example 0.0356
                 */
                amount: string | null;
                /**
                 * @description Of authentication templates: the rate if Meta counts your business as foreign.
                 * @example null
                 */
                international_amount: string | null;
                /**
                 * @description Category that is charged; `service` for everything but templates.
                 * @example utility
                 */
                category: string;
                /** @description `list_rate`: the rate of the card, without volume discounts, and as if nothing were free. Meta may charge less. */
                basis: "list_rate";
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
            /** @description Always false. */
            success: false;
            /** @description Always null. */
            data: null;
            error: components["schemas"]["ApiError"];
        };
        /** @description One wrong field of the request. */
        ErrorDetail: {
            /** @description Dotted path with indexes, for example components[1].parameters[0].text. */
            field: string;
            /** @description The part of the request the field is in. */
            location: "body" | "query" | "path" | "header";
            /** @description What is wrong with the field. */
            code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_short" | "too_long" | "out_of_range" | "too_many_items" | "duplicate" | "invalid_phone_number" | "invalid_language" | "invalid_url" | "https_required" | "mutually_exclusive" | "one_of_required" | "invalid_secret";
            /** @description How to write the field, in one sentence. */
            message: string;
            /** @description The value that was sent; only short values that are not secret. */
            received?: string;
            /** @description A correct value to copy. */
            example?: unknown;
        };
        /** @description Something that happened. */
        Event: {
            /**
             * @description Id of the event, the same for every webhook and every retry. Use it to ignore repeats.
             * @example evt_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Type of the event.
             * @example message.delivered
             */
            type: string;
            /**
             * @description Version of the API the event is written in.
             * @example v1
             */
            api_version: string;
            /**
             * Format: date-time
             * @description When the gateway recorded it.
             */
            timestamp: string;
            /**
             * @description The message, template, webhook or quota the event is about.
             * @example {
             *       "sequence": 2,
             *       "message_id": "wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2",
             *       "status": "delivered"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description The delivery as the log has it now. */
        ForwardRecord: {
            /**
             * @description Id of the listener, as in its first message.
             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            webhook_id: string;
            /**
             * @description Id of the delivery.
             * @example dlv_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            delivery_id: string;
            /** @description `delivered` after a response with status 2xx. */
            status: "delivered" | "failed";
        };
        /** @description The response of your machine to a delivery. */
        ForwardReport: {
            /**
             * @description The `receipt` of the delivery.
             * @example rct_8Fq2LrT0aB3cD4eF5gHx91T
             */
            receipt: string;
            /**
             * @description Address the delivery was posted to.
             * @example http://localhost:3000/webhooks
             */
            url: string;
            /**
             * @description Milliseconds until the response.
             * @example 12
             */
            duration_ms: number;
            /**
             * @description HTTP status of the response; leave it out when there was none.
             * @example 200
             */
            status_code?: number | null;
            /** @description Why there was no response. */
            error_code?: ("timeout" | "connection_reset" | "connection_refused" | "dns_error" | "tls_error" | "protocol_error") | null;
            /** @description More about the error, for the log. */
            error_message?: string | null;
            /**
             * @description Headers of the response, for the log.
             * @example {
             *       "content-type": "text/plain"
             *     }
             */
            response_headers?: {
                [key: string]: string;
            } | null;
            /**
             * @description Body of the response, at most 4 KiB.
             * @example ok
             */
            response_body?: string | null;
        };
        /** @description Words with which customers stop marketing messages of a number, or allow them again. Without words, the setting is off. */
        Keywords: {
            /**
             * @description The WhatsApp number they apply to.
             * @example +351210000000
             */
            phone_number: string;
            /**
             * @description A message that is one of these opts out.
             * @example [
             *       "STOP"
             *     ]
             */
            stop_words: string[];
            /**
             * @description A message that is one of these opts in.
             * @example [
             *       "START"
             *     ]
             */
            start_words: string[];
        };
        /**
         * @description A message counts if it is nothing but one of the words: upper and lower case, surrounding spaces and punctuation do not matter.
         * @example {
         *       "stop_words": [
         *         "STOP",
         *         "PARAR"
         *       ],
         *       "start_words": [
         *         "START"
         *       ]
         *     }
         */
        KeywordsChange: {
            /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /**
             * @description Words that opt out, in every language your customers use. An empty list turns them off.
             * @example [
             *       "STOP"
             *     ]
             */
            stop_words?: string[] | null;
            /**
             * @description Words that opt in again. An empty list turns them off.
             * @example [
             *       "START"
             *     ]
             */
            start_words?: string[] | null;
        };
        /**
         * @description A short link that opens a conversation with a number, and its QR code.
         * @example {
         *       "link_id": "4O4YGZEG3RIVE1",
         *       "message": "I have a question about my order",
         *       "url": "https://wa.me/message/4O4YGZEG3RIVE1",
         *       "qr_image_url": "https://scontent.whatsapp.net/qr.svg"
         *     }
         */
        Link: {
            /**
             * @description Meta's code of the link.
             * @example 4O4YGZEG3RIVE1
             */
            link_id: string;
            /** @description What stands in the customer’s input field when the link opens. */
            message: string;
            /** @description Address of the link. */
            url: string;
            /** @description Address of the QR code at Meta; it expires after some days. */
            qr_image_url: string | null;
        };
        /** @description A short link that no longer works. */
        LinkDeleted: {
            /**
             * @description Meta's code of the link.
             * @example 4O4YGZEG3RIVE1
             */
            link_id: string;
            /** @description Always `true`. */
            deleted: true;
        };
        /** @description The short links of a number, as Meta has them now. */
        LinkList: {
            /**
             * @description The WhatsApp number.
             * @example +351210000000
             */
            phone_number: string;
            /** @description As many as Meta lists at once. */
            links: components["schemas"]["Link"][];
        };
        /**
         * @description A short link to create, or other words for one.
         * @example {
         *       "message": "I have a question about my order"
         *     }
         */
        LinkRequest: {
            /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
            from?: string | null;
            /** @description What stands in the customer’s input field, 1 to 140 characters. */
            message: string;
            /** @description Format of the QR code. Default: svg. */
            qr_image?: ("svg" | "png") | null;
        };
        /** @description A message template in one language, with its use. */
        ListedTemplate: components["schemas"]["Template"] & {
            last_7_days: components["schemas"]["TemplateUsage"];
        };
        /**
         * @description May be empty.
         * @example {
         *       "typing": true
         *     }
         */
        MarkRead: {
            /** @description Also show the customer that you are typing. Default: false. */
            typing?: boolean | null;
        };
        /** @description The message that was marked as read. */
        MarkedRead: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /** @description Always `read`. */
            status: "read";
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
        /** @description A message with everything that is known about it. */
        Message: components["schemas"]["MessageListItem"] & {
            /**
             * @description Content of the message; the fields depend on `type`. Inbound messages can also have `referral`, `referred_product`, `forwarded` and `username`. Null when it was erased.
             * @example {
             *       "text": "Your order A-1001 is on its way."
             *     }
             */
            content: {
                [key: string]: unknown;
            } | null;
            /** @description Every status the message had, in order. */
            history: {
                /**
                 * @description The status the message got.
                 * @example delivered
                 */
                status: string;
                /**
                 * Format: date-time
                 * @description When it happened, by the clock of the source.
                 */
                at: string;
                /**
                 * Format: date-time
                 * @description When the gateway recorded it.
                 */
                recorded_at: string;
                /**
                 * @description `gateway`: recorded while the message was sent, from the response of Meta. `channel`: reported by Meta later.
                 * @example channel
                 */
                source: "gateway" | "channel";
                /**
                 * @description True when WhatsApp did not report it, but a later status implies it.
                 * @example false
                 */
                inferred: boolean;
            }[];
            /** @description What Meta charges for the message; null until Meta told it, which it does with the delivery. */
            price: {
                /**
                 * @description Pricing category.
                 * @example utility
                 */
                category: string;
                /**
                 * @description As Meta names it, such as `regular`.
                 * @example regular
                 */
                type: string | null;
                /**
                 * @description Whether Meta says that it charges nothing.
                 * @example false
                 */
                free: boolean;
                /**
                 * @description The day on which it arrived, in the time zone of your WhatsApp Business account.
                 * @example 2026-11-15
                 */
                day: string;
                /**
                 * @description In which Meta bills the account.
                 * @example EUR
                 */
                currency: string | null;
                /**
                 * @description By the rate card of the day; null without a rate, and for keys without `costs:read`.
                 * @example 0.0356
                 */
                amount: string | null;
            } | null;
            /** @description 24-hour window that opens with each message of the customer. */
            window: {
                /** @description Whether you may send more than templates now. */
                state: "open" | "closed" | "unknown";
                /**
                 * Format: date-time
                 * @description 24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen.
                 */
                expires_at: string | null;
            };
            /** @description Whether the customer accepts marketing messages from this number, if they told WhatsApp. */
            marketing: {
                /**
                 * @description What the customer chose.
                 * @example unknown
                 */
                state: "opted_out" | "opted_in" | "unknown";
                /**
                 * Format: date-time
                 * @description When the customer chose it.
                 * @example null
                 */
                since: string | null;
            };
        };
        /** @description A page of messages. */
        MessageList: {
            /** @description The messages of this page. */
            messages: components["schemas"]["MessageListItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A message without its content and history. */
        MessageListItem: {
            /**
             * @description Id of the message at WhatsApp; a provisional id, `out_…`, until WhatsApp has given one.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /** @description `outbound` is sent by you, `inbound` by the customer. */
            direction: "outbound" | "inbound";
            /**
             * @description Type of the message, such as `text`, `template`, `image` or `interactive`.
             * @example text
             */
            type: string;
            /**
             * @description Phone number of the sender; null when it is not known or was erased.
             * @example +15550100001
             */
            from: string | null;
            /**
             * @description Phone number of the recipient; null when it is not known or was erased.
             * @example +12025550100
             */
            to: string | null;
            /**
             * @description WhatsApp user id of the customer, if known.
             * @example null
             */
            user_id: string | null;
            /**
             * @description Id of the customer, whichever address they use; null when they were erased.
             * @example cus_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            customer_id: string | null;
            /**
             * @description `waiting`, `queued`, `sent`, `delivered`, `read`, `failed` or `canceled`; `received` for inbound messages.
             * @example delivered
             */
            status: string;
            /**
             * @description `unknown` while it is not known whether Meta has the message; null otherwise.
             * @example null
             */
            outcome: string | null;
            /**
             * @description Name of the template of a template message.
             * @example null
             */
            template: string | null;
            /**
             * @description Language of the template.
             * @example null
             */
            language: string | null;
            /**
             * @description Your reference, as given with the send.
             * @example A-1001
             */
            client_reference: string | null;
            /**
             * @description Id of the message this one quotes.
             * @example null
             */
            reply_to: string | null;
            /**
             * @description Id of the group the customer wrote in; you cannot send to groups.
             * @example null
             */
            group_id: string | null;
            /**
             * @description Meta holds the message back while it checks the quality of the template.
             * @example false
             */
            held: boolean;
            /**
             * @description `text` or `template`: what was sent of a request with a `fallback`.
             * @example null
             */
            used: string | null;
            /**
             * @description How the message came here, if you neither sent it through this gateway nor received it to reply to. `standby`: the customer wrote while another responder handled the conversation. `other_responder`, `business_app`: your business sent it, through another responder or in the WhatsApp Business app. `history`: from before the number was connected. Null for all others.
             * @example null
             */
            origin: ("standby" | "other_responder" | "business_app" | "history") | null;
            /**
             * Format: date-time
             * @description When the gateway got the message.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When WhatsApp accepted it.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When it reached the phone of the customer.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When the customer opened it.
             * @example null
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @description When it failed.
             * @example null
             */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When a message that waited, or still waits, was to be sent.
             * @example null
             */
            send_at: string | null;
            /**
             * Format: date-time
             * @description A message that waits is not sent after this time.
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When a message that waits is looked at next.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * @description How often Meta was called for a message that waited; 0 for all others.
             * @example 0
             */
            attempts: number;
            /**
             * @description Why a message waits. `time`: for its `send_at`. `rate`: for room in the rate of your number or of the customer. `meta`: Meta did not take it; it certainly was not sent. `channel`: the number or its token does not work. `template`: the template is paused or not approved yet. `account`: the account is suspended. `person`: until the operator releases it, because its API key may not send any more or the data was restored. `broadcast`: until its broadcast is resumed. `budget`: for room in a budget.
             * @example null
             */
            waiting_for: ("time" | "rate" | "meta" | "channel" | "template" | "account" | "person" | "broadcast" | "budget") | null;
            /**
             * @description Why the message failed; null otherwise.
             * @example null
             */
            error: {
                /** @description Error code; the errors page explains it. */
                code: string;
                /** @description What happened, in one sentence. */
                message: string;
                /** @description Whether the same message can succeed later. */
                retryable: boolean;
                /** @description Meta's error, when Meta rejected the call. */
                upstream: {
                    /** @description Meta's error code. */
                    code: number | null;
                    /** @description Meta's title of the error. */
                    title: string | null;
                    /** @description Meta's explanation. */
                    detail: string | null;
                    /** @description Id of the call at Meta, for Meta's support. */
                    trace_id: string | null;
                } | null;
            } | null;
            /**
             * @description The customer who wrote an inbound message.
             * @example null
             */
            contact: {
                /** @description Name in the WhatsApp profile of the customer. */
                name: string | null;
            } | null;
            /**
             * @description Id of the broadcast that sent it.
             * @example null
             */
            broadcast_id: string | null;
            /**
             * Format: date-time
             * @description When the content was erased; the rest of the record stays.
             * @example null
             */
            content_purged_at: string | null;
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
        /** @description Recipients as JSON. */
        RecipientsUpload: {
            /** @description The recipients, up to 1,000. */
            recipients: {
                /**
                 * @description Phone number in international format, or a WhatsApp user id.
                 * @example +12025550100
                 */
                to: string;
                /**
                 * @description The values of the columns, each a text, a number, true or false.
                 * @example {
                 *       "first_name": "Ana",
                 *       "code": "SPRING10"
                 *     }
                 */
                values?: {
                    [key: string]: unknown;
                } | null;
                /** @description Your own reference; the message repeats it. */
                client_reference?: string | null;
                /**
                 * @description IANA time zone of the recipient.
                 * @example Europe/Lisbon
                 */
                time_zone?: string | null;
            }[];
        };
        /**
         * @description May be empty: the bearer token is the one to refresh.
         * @example {}
         */
        RefreshRequest: {
            /** @description Optional; when given, it must be the same token as the bearer. */
            access_token?: string | null;
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
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
        };
        /** @description The result of a revocation. */
        Revocation: {
            /**
             * @description False when the token is unknown or belongs to another API key.
             * @example true
             */
            revoked: boolean;
            /**
             * @description Id of the revoked token.
             * @example tok_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            token_id: string | null;
            /**
             * Format: date-time
             * @description When the token was revoked.
             */
            revoked_at: string | null;
        };
        /**
         * @description May be empty: the bearer token is revoked.
         * @example {}
         */
        RevokeRequest: {
            /** @description The access token to revoke; it must belong to the same API key. Default: the bearer token. */
            token?: string | null;
            /** @description Another name for `token`. */
            access_token?: string | null;
            /** @description True also revokes the tokens this one was refreshed from, and all others of that chain. Tokens refreshed from this one are always revoked. */
            chain?: boolean | null;
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
        /** @description A text that agents send again and again. */
        SavedReply: {
            /**
             * @description Id of the saved reply.
             * @example rpl_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            saved_reply_id: string;
            /**
             * @description The word that is typed after `/`: letters, digits, `-` and `_`.
             * @example hours
             */
            shortcut: string;
            /**
             * @description The text. `{{name}}` becomes the customer's name.
             * @example Hello {{name}}, we are open from 9 to 6.
             */
            text: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description The saved reply is gone. */
        SavedReplyDeleted: {
            /**
             * @description Id of the saved reply.
             * @example rpl_01jqzk3v8m4n2p6r9t0w5x7y1z
             */
            saved_reply_id: string;
            /**
             * @description Always true.
             * @example true
             */
            deleted: boolean;
        };
        /** @description The saved replies of the account, by shortcut. */
        SavedReplyList: {
            /** @description At most 200. */
            saved_replies: components["schemas"]["SavedReply"][];
        };
        /**
         * @description A saved reply.
         * @example {
         *       "shortcut": "hours",
         *       "text": "Hello {{name}}, we are open from 9 to 6."
         *     }
         */
        SavedReplyRequest: {
            /**
             * @description The word that is typed after `/`: letters, digits, `-` and `_`.
             * @example hours
             */
            shortcut: string;
            /**
             * @description The text. `{{name}}` becomes the customer's name.
             * @example Hello {{name}}, we are open from 9 to 6.
             */
            text: string;
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
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
         * @example {
         *       "to": "+919876543210",
         *       "type": "order_details",
         *       "body": "Your order A-1001.",
         *       "order": {
         *         "reference_id": "A-1001",
         *         "goods": "physical",
         *         "currency": "INR",
         *         "items": [
         *           {
         *             "name": "Echeveria",
         *             "quantity": 2,
         *             "amount": 10000
         *           }
         *         ],
         *         "tax": 1000,
         *         "payment_settings": [
         *           {
         *             "type": "payment_gateway",
         *             "payment_gateway": {
         *               "type": "razorpay",
         *               "configuration_name": "shop"
         *             }
         *           }
         *         ]
         *       }
         *     }
         * @example {
         *       "to": "+919876543210",
         *       "type": "order_status",
         *       "body": "Your order A-1001 is on its way.",
         *       "order_status": {
         *         "reference_id": "A-1001",
         *         "status": "shipped"
         *       }
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** @description Type of the message. Beside `body`, `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`, `cta_url` needs `button` and `url`, `flow` needs `button` and `flow`, `product` needs `catalog_id` and `product_id`, `product_list` needs `header`, `catalog_id` and `product_sections`, `catalog` may have `thumbnail_product_id`, `product_carousel` needs `catalog_id` and `product_ids`, `carousel` needs `cards`, `address` needs `address`, `order_details` needs `order`, `order_status` needs `order_status`, and `location_request`, `call_permission` and `contact_info` need nothing. `body` may be left out of `product` and `call_permission`. */
            type: "buttons" | "list" | "quick_replies" | "cta_url" | "location_request" | "flow" | "product" | "product_list" | "catalog" | "product_carousel" | "carousel" | "address" | "call_permission" | "contact_info" | "order_details" | "order_status";
            /** @description Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible. */
            direct_send?: {
                /** @description What the message is: `utility`, or `authentication` for a one-time code as a text. */
                category: "utility" | "authentication";
                /** @description How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status. */
                ttl_seconds?: number | null;
                /** @description Name of the template that Meta makes of a `utility` message. Default: one of its own. */
                template_name?: string | null;
            } | null;
            /** @description Header above the text: a text or a file. Lists have text headers only; all requests, products, catalogs and carousels have none. */
            header?: ({
                /** @description A header of text. */
                type: "text";
                /** @description Text of the header, at most 60 characters. */
                text: string;
            } | {
                /** @description A header with a file. */
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
                    /** @description Type of the file. */
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
                /** @description Country of the address: India. */
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
            /** @description The order to be paid, for customers in India and Brazil. Subtotal and total are computed from it. Not yet tried with a real account. */
            order?: {
                /** @description Your id of the order; `payment.updated` has it. 1 to 35 letters, digits, `_`, `-` and `.`. */
                reference_id: string;
                /** @description What is sold. */
                goods: "digital" | "physical";
                /** @description Currency of all amounts. */
                currency: "INR" | "BRL";
                /** @description What the customer pays for. */
                items: {
                    /** @description What it is. */
                    name: string;
                    /** @description How many. */
                    quantity: number;
                    /** @description Price of one, in hundredths of the currency. */
                    amount: number;
                    /** @description Id of the product in your catalog. */
                    product_id?: string | null;
                }[];
                /** @description Tax, in hundredths of the currency. */
                tax: number;
                /** @description Price of the delivery, in hundredths of the currency. */
                shipping?: number | null;
                /** @description What is taken off, in hundredths of the currency. */
                discount?: number | null;
                /** @description Ways to pay, passed to Meta as they are: each has a `type`, such as `payment_gateway` (India) or `pix_dynamic_code`, `payment_link`, `boleto`, `offsite_card_pay` (Brazil), and a member of that name. */
                payment_settings: {
                    [key: string]: unknown;
                }[];
            } | null;
            /** @description What became of an order that you sent with `order_details`. */
            order_status?: {
                /** @description The id that you gave the order. 1 to 35 letters, digits, `_`, `-` and `.`. */
                reference_id: string;
                /** @description Its status. A paid order cannot be canceled. */
                status: "pending" | "processing" | "partially_shipped" | "shipped" | "completed" | "canceled";
                /** @description A sentence about it, at most 120 characters. */
                description?: string | null;
                /** @description When it was paid: for Brazil, where Meta learns of payments from you alone. */
                paid_at?: string | null;
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
            /** @description Latitude in degrees, -90 to 90. */
            latitude: number;
            /** @description Longitude in degrees, -180 to 180. */
            longitude: number;
            /** @description Name of the place. */
            name?: string | null;
            /** @description Address of the place; WhatsApp shows it below the name. */
            address?: string | null;
        };
        /** @description An image, document, audio or video message. */
        SendMedia: components["schemas"]["SendSticker"] & {
            /** @description Kind of file. */
            type: "image" | "document" | "audio" | "video";
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
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
            /** @description Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false. */
            queue?: boolean | null;
            /**
             * @description When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.
             * @example 2026-12-01T09:00:00+00:00
             */
            send_at?: string | null;
            /** @description Seconds after `send_at`, or after now, in which a message that waits may still be sent. Default: 86400; 600 for authentication templates. */
            valid_for?: number | null;
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
                /** @description What the message is: `utility`, or `authentication` for a one-time code as a text. */
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
            /** @description `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report what becomes of it. */
            status: "sent" | "waiting";
            /**
             * Format: date-time
             * @description When WhatsApp accepted the message, or the gateway stored it to wait.
             */
            timestamp: string;
            /** @description Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /**
             * Format: date-time
             * @description Of a message that waits: when it is to be sent.
             */
            send_at?: string;
            /**
             * Format: date-time
             * @description Of a message that waits: it is not sent after this time.
             */
            expires_at?: string;
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
            /** @description `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report what becomes of it. */
            status: "sent" | "waiting";
            /**
             * Format: date-time
             * @description When WhatsApp accepted the message, or the gateway stored it to wait.
             */
            timestamp: string;
            /** @description Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /**
             * Format: date-time
             * @description Of a message that waits: when it is to be sent.
             */
            send_at?: string;
            /**
             * Format: date-time
             * @description Of a message that waits: it is not sent after this time.
             */
            expires_at?: string;
        };
        /** @description The text message that was sent. */
        SentText: {
            /**
             * @description Id of the message at WhatsApp.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2
             */
            message_id: string;
            /** @description `sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report what becomes of it. */
            status: "sent" | "waiting";
            /** @description Only the response of a dry run has this field, and there it is true. */
            dry_run?: false;
            /**
             * Format: date-time
             * @description Of a message that waits: when it is to be sent.
             */
            send_at?: string;
            /**
             * Format: date-time
             * @description Of a message that waits: it is not sent after this time.
             */
            expires_at?: string;
            /** @description What was sent; only when the request had a `fallback`. */
            used?: "text" | "template";
        };
        /** @description How long customers waited for a reply of a person. */
        ServiceTimes: {
            /**
             * Format: date-time
             * @description Start of the range.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range.
             */
            to: string;
            /** @description Of the whole range. */
            totals: {
                /** @description Waits that a person ended with a reply. */
                replies: number;
                /** @description Half of the waits were shorter. Worked out from counts in 48 fixed buckets; exact where few replies took about as long. */
                median_wait_seconds: number | null;
                /** @description From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** @description Replies within an hour. */
                within_hour: number;
                /** @description Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** @description Customers who still wait, longer than 24 hours. */
                missed: number;
                /**
                 * @description Share of `within_window` in all replies and misses.
                 * @example 97.5
                 */
                within_window_percent: number | null;
                /** @description Customers who wait now. */
                waiting: number;
            };
            /** @description By the UTC day on which the wait began; days without one are left out. */
            days: {
                /**
                 * Format: date-time
                 * @description Start of the day.
                 */
                date: string;
                /** @description Waits that a person ended with a reply. */
                replies: number;
                /** @description Half of the waits were shorter. Worked out from counts in 48 fixed buckets; exact where few replies took about as long. */
                median_wait_seconds: number | null;
                /** @description From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** @description Replies within an hour. */
                within_hour: number;
                /** @description Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** @description Customers who still wait, longer than 24 hours. */
                missed: number;
                /**
                 * @description Share of `within_window` in all replies and misses.
                 * @example 97.5
                 */
                within_window_percent: number | null;
                /** @description Customers who wait since this day. */
                waiting: number;
            }[];
            /** @description By who replied, the most replies first. */
            agents: {
                /**
                 * @description Id of the person.
                 * @example usr_01ka3m7y3t4d0v9v4k6q1t7r2c
                 */
                user_id: string;
                /**
                 * @description Null for one who has left.
                 * @example Ana Sousa
                 */
                name: string | null;
                /** @description Waits that a person ended with a reply. */
                replies: number;
                /** @description Half of the waits were shorter. Worked out from counts in 48 fixed buckets; exact where few replies took about as long. */
                median_wait_seconds: number | null;
                /** @description From the first message without a reply to the reply, on average. */
                average_wait_seconds: number | null;
                /** @description Replies within an hour. */
                within_hour: number;
                /** @description Replies within 24 hours, while anything could be sent. */
                within_window: number;
                /** @description Customers who still wait, longer than 24 hours. */
                missed: number;
                /**
                 * @description Share of `within_window` in all replies and misses.
                 * @example 97.5
                 */
                within_window_percent: number | null;
            }[];
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
             */
            source: "catalog" | "api" | "platform";
            /** @description Where the template exists: in the `sandbox` or at Meta (`cloud`). */
            channel: ("sandbox" | "cloud") | null;
            /** @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
            type: "body" | "BODY";
            /** @description The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateCurrencyParameter"] | components["schemas"]["TemplateDateTimeParameter"])[] | null;
        };
        /** @description The value of one button. */
        TemplateButtonValues: {
            /** @description In lower case or in capital letters. */
            type: "button" | "BUTTON";
            /** @description Kind of the button; `url` also for a button that copies a one-time code. In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description The `version` that you saw: if it is another one by now, nothing is changed. */
            if_version?: number | null;
        };
        /**
         * @description One part of the template. Variables are numbered, {{1}} to {{n}}, whatever names they were written with.
         * @example {
         *       "type": "body",
         *       "text": "Hello {{1}}, your order {{2}} is ready for you."
         *     }
         */
        TemplateComponent: {
            /** @description Which part of the template it is. */
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
            /** @description In lower case or in capital letters. */
            type: "coupon_code" | "COUPON_CODE";
            /**
             * @description The code.
             * @example SAVE25
             */
            coupon_code: string;
        };
        /** @description An amount of money, written in the language of the template. */
        TemplateCurrencyParameter: {
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
            type: "header" | "HEADER";
            /** @description The values, in the order of the template. */
            parameters?: (components["schemas"]["TemplateTextParameter"] | components["schemas"]["TemplateImageParameter"] | components["schemas"]["TemplateVideoParameter"] | components["schemas"]["TemplateDocumentParameter"] | components["schemas"]["TemplateLocationParameter"] | components["schemas"]["TemplateProductParameter"])[] | null;
        };
        /** @description An image. */
        TemplateImageParameter: {
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
            type: "payload" | "PAYLOAD";
            /** @description The payload. */
            payload: string;
        };
        /** @description New content of an approved template, under review. */
        TemplatePendingEdit: {
            /** @description Whether Meta knows its variables by number or by name. A send can give the values in order in both cases. */
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
            /** @description A header of text. */
            kind: "text";
            /** @description The text, with values. */
            text: string;
        } | {
            /** @description A header with a file. */
            kind: "image" | "video" | "document";
            /** @description Address of the file. */
            link?: string;
            /** @description Id of the uploaded file. */
            media_id?: string;
            /** @description Name of a document. */
            filename?: string;
        } | {
            /** @description A header with a map. */
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
            /** @description A header with a product of the catalog. */
            kind: "product";
            /** @description Your id of the product. */
            product_retailer_id: string;
            /** @description Id of the catalog at Meta. */
            catalog_id: string;
        } | null;
        /**
         * @description May be empty.
         * @example {
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
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        TemplatePreviewRequest: {
            /** @description Values for the variables, as in a send. Default: the examples of the template. */
            components?: components["schemas"]["TemplateComponentValues"][] | null;
        };
        /** @description A product of a catalog. */
        TemplateProductParameter: {
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
            /** @description In lower case or in capital letters. */
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
        TemplateWithHistory: components["schemas"]["ListedTemplate"] & {
            /** @description The last 50 changes, newest first. */
            history: {
                /**
                 * @description What changed.
                 * @example status
                 */
                kind: "created" | "content" | "status" | "category" | "quality";
                /**
                 * @description Where the change came from: this `api`, the built-in `catalog`, a `callback` of Meta, or a `sync` with Meta.
                 * @example callback
                 */
                cause: "api" | "catalog" | "callback" | "sync";
                /**
                 * @description Status after the change.
                 * @example approved
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
        /** @description The API key and its secret. */
        TokenRequest: {
            /**
             * @description The API key, `ptk_…`.
             * @example ptk_8Fq2LrT0aB3cD4eF5gHx91T
             */
            api_key?: string | null;
            /**
             * @description Its secret, `pts_…`, shown once at creation.
             * @example pts_c2VjcmV0LW9mLXRoZS1rZXk
             */
            api_secret?: string | null;
            /**
             * @description Scopes of the token, when it needs fewer than the key has. Default: all scopes of the key.
             * @example [
             *       "messages:send"
             *     ]
             */
            scopes?: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read" | "costs:read" | "budgets:write" | "profile:read" | "profile:write" | "broadcasts:read" | "broadcasts:write" | "conversations:read" | "conversations:write" | "blocked:read" | "blocked:write" | "customers:read" | "customers:write" | "graph:pass")[] | null;
        };
        /** @description The event to cause. */
        TriggerRequest: {
            /**
             * @description Type of the event to cause.
             * @example message.received
             */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /**
             * @description Phone number of the customer who writes; for `message.received` only.
             * @example +12025550100
             */
            from?: string | null;
            /**
             * @description What the customer writes; for `message.received` only.
             * @example Where is my order?
             */
            text?: string | null;
        };
        /** @description How the event was triggered. */
        TriggeredEvent: {
            /**
             * @description Type of the event.
             * @example message.received
             */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
            /** @description `customer_wrote`: a customer of the sandbox wrote. `sample`: webhooks and listeners got a sample. `sample_to_listeners`: the account has a live number, so only listeners got it. */
            method: "customer_wrote" | "sample" | "sample_to_listeners";
            /**
             * @description Phone number of the customer who wrote.
             * @example +12025550100
             */
            from: string | null;
            /**
             * @description The sandbox number the customer wrote to.
             * @example +15550100001
             */
            to: string | null;
            /**
             * @description Id of the message the customer wrote.
             * @example wamid.HBgLMTIwMjU1NTAxMDAVAgASGBQz
             */
            message_id: string | null;
            /**
             * @description Clients of `GET /v1/listen` in this account, one per API key.
             * @example 1
             */
            listeners: number;
            /** @description Webhooks that get the event. */
            webhooks: components["schemas"]["TriggeredWebhook"][];
        };
        /** @description A webhook that gets the event. */
        TriggeredWebhook: {
            /**
             * @description Id of the webhook.
             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
             */
            id: string;
            /**
             * @description Address of the webhook.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Whether the receiver accepted the sample; null for an event whose delivery is in progress.
             * @example null
             */
            delivered: boolean | null;
            /**
             * @description HTTP status of the receiver, if known.
             * @example null
             */
            status_code: number | null;
            /**
             * @description Why there was no response.
             * @example null
             */
            error_code: string | null;
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
            /** @description Always true, also for a customer who was not blocked. */
            unblocked: true;
        };
        /** @description What was taken of an upload. */
        UploadResult: {
            /**
             * @description Id of the upload.
             * @example upl_01kb3m7y3t4d0v9v4k6q1t7r2d
             */
            upload_id: string | null;
            /**
             * @description Lines with recipients.
             * @example 48300
             */
            rows: number;
            /**
             * @description Recipients that were added.
             * @example 48211
             */
            accepted: number;
            /**
             * @description Lines that were rejected.
             * @example 62
             */
            invalid: number;
            /**
             * @description Lines with a recipient who was there before.
             * @example 27
             */
            duplicates: number;
            /**
             * @description The columns of the upload.
             * @example [
             *       "phone",
             *       "first_name"
             *     ]
             */
            columns: string[];
            /** @description Recipients by country, the most first. */
            countries: {
                /**
                 * @description ISO 3166 code of the country; null where the number does not tell.
                 * @example PT
                 */
                country: string | null;
                /** @description Recipients. */
                count: number;
            }[];
            /** @description The first 100 lines that were not taken. */
            problems: {
                /**
                 * @description Line of the file, or place in the list.
                 * @example 118
                 */
                line: number;
                /**
                 * @description The column that is wrong.
                 * @example to
                 */
                column: string | null;
                /**
                 * @description What is wrong.
                 * @example invalid_phone_number
                 */
                code: string;
                /**
                 * @description How to write it.
                 * @example Leave out the 0 after the country code +351.
                 */
                message: string;
            }[];
            /**
             * @description Lines that were not taken.
             * @example 89
             */
            problems_total: number;
        };
        /** @description A volume tier that Meta reports for a month. Amounts are of the list rate all the same. */
        VolumeTier: {
            /**
             * @description WhatsApp Business account.
             * @example 102290129340398
             */
            waba_id: string;
            /**
             * @description Month it holds for, in the time zone of the account.
             * @example 2026-11
             */
            month: string;
            /**
             * @description What Meta charges the messages as.
             * @example utility
             */
            category: string;
            /**
             * @description Market, as Meta names it.
             * @example India
             */
            region: string;
            /**
             * @description From which to which charged message of the month, as Meta writes it.
             * @example 25000001:50000000
             */
            tier: string;
            /**
             * Format: date-time
             * @description When the tier was reached.
             */
            since: string;
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
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[]) | null;
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
            events: unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning" | "message.*" | "conversation.*" | "customer.*" | "payment.*" | "broadcast.*" | "template.*" | "number.*" | "account.*" | "channel.*" | "webhook.*" | "budget.*")[] | "*"[];
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
             */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
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
             */
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
        responses: {
            /** @description The account and the API key of the call, what the call may do, and the remaining quota of the plan. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["CurrentUser"];
                    };
                };
            };
        };
    };
    refreshToken: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description An access token for the other calls. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["AccessToken"];
                    };
                };
            };
        };
    };
    revokeToken: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeRequest"];
            };
        };
        responses: {
            /** @description The result of a revocation. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Revocation"];
                    };
                };
            };
        };
    };
    createToken: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description An access token for the other calls. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["AccessToken"];
                    };
                };
            };
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
                /** @description IANA name of the time zone of days and months. Default: UTC. */
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
                /** @description Largest groups to return, with points at most 50; all others are one group, `other`. */
                limit_groups?: number;
                /** @description `false` leaves out the points of the series: for the sums of many groups. */
                points?: boolean;
            };
        };
        responses: {
            /** @description Numbers of messages over time. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Analytics"];
                    };
                };
            };
        };
    };
    listAssignees: {
        responses: {
            /** @description Everybody who can be assigned to a conversation. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["AssigneeList"];
                    };
                };
            };
        };
    };
    getAutomation: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: {
            /** @description Ice breakers and commands of a number, as Meta has them now. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Automation"];
                    };
                };
            };
        };
    };
    setAutomation: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationChange"];
            };
        };
        responses: {
            /** @description Ice breakers and commands of a number, as Meta has them now. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Automation"];
                    };
                };
            };
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
        };
        responses: {
            /** @description A page of the block list, as Meta has it at this moment. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BlockedList"];
                    };
                };
            };
        };
    };
    blockCustomers: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockRequest"];
            };
        };
        responses: {
            /** @description The customers that were blocked, and those that were not. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BlockResult"];
                    };
                };
            };
        };
    };
    unblockCustomer: {
        parameters: {
            query?: {
                /** @description The WhatsApp number whose block list is meant: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +. */
                customer: string;
            };
        };
        responses: {
            /** @description The customer who was unblocked. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["UnblockedCustomer"];
                    };
                };
            };
        };
    };
    listBroadcasts: {
        parameters: {
            query?: {
                /** @description Only those with this status. */
                status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "canceled";
                /** @description Broadcasts per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: {
            /** @description Broadcasts, newest first. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BroadcastList"];
                    };
                };
            };
        };
    };
    createBroadcast: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastDraft"];
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            201: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    getBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    updateBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastChanges"];
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    deleteBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A broadcast that was deleted. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["DeletedBroadcast"];
                    };
                };
            };
        };
    };
    cancelBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    copyBroadcast: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastCopy"];
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            201: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    estimateBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description What a broadcast would do now. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BroadcastEstimate"];
                    };
                };
            };
        };
    };
    pauseBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    previewBroadcast: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BroadcastPreviewRequest"];
            };
        };
        responses: {
            /** @description The message as a recipient would see it. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BroadcastPreview"];
                    };
                };
            };
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** @description Only these. `sent` includes those delivered and read. */
                result?: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
                /** @description Only with this error code or reason. */
                code?: string;
                /** @description Recipients per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description Recipients in their order. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BroadcastRecipients"];
                    };
                };
            };
        };
    };
    uploadRecipients: {
        parameters: {
            query?: {
                /** @description Only check the recipients; nothing is stored. Default: false. */
                dry_run?: boolean;
                /** @description Replace all recipients of the broadcast. Default: false. */
                replace?: boolean;
                /** @description The column of a CSV file with the phone numbers. Default: `to`, `phone`, `phone_number`, `mobile` or `whatsapp`. */
                to_column?: string;
            };
            path: {
                /** @description Id of the broadcast. */
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
        responses: {
            /** @description What was taken of an upload. */
            201: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["UploadResult"];
                    };
                };
            };
        };
    };
    exportRecipients: {
        parameters: {
            query?: {
                /** @description Only these. `sent` includes those delivered and read. */
                result?: "waiting" | "under_way" | "sent" | "delivered" | "read" | "failed" | "unknown" | "skipped" | "expired" | "canceled";
                /** @description Only with this error code or reason. */
                code?: string;
            };
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A file of comma-separated values. */
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
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    startBroadcast: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BroadcastStart"];
            };
        };
        responses: {
            /** @description A broadcast with its progress. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Broadcast"];
                    };
                };
            };
        };
    };
    testBroadcast: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastTestRequest"];
            };
        };
        responses: {
            /** @description Messages that were really sent, and count and cost as such. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BroadcastTest"];
                    };
                };
            };
        };
    };
    getUploadProblems: {
        parameters: {
            path: {
                /** @description Id of the broadcast. */
                broadcast_id: string;
                /** @description Id of the upload. */
                upload_id: string;
            };
        };
        responses: {
            /** @description A file of comma-separated values. */
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listBudgets: {
        responses: {
            /** @description The budgets of the account, the oldest first. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BudgetList"];
                    };
                };
            };
        };
    };
    createBudget: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetRequest"];
            };
        };
        responses: {
            /** @description What an account lets itself spend in a day or month, and how much of it is used. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Budget"];
                    };
                };
            };
        };
    };
    updateBudget: {
        parameters: {
            path: {
                /** @description Id of the budget. */
                budget_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetChange"];
            };
        };
        responses: {
            /** @description What an account lets itself spend in a day or month, and how much of it is used. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Budget"];
                    };
                };
            };
        };
    };
    deleteBudget: {
        parameters: {
            path: {
                /** @description Id of the budget. */
                budget_id: string;
            };
        };
        responses: {
            /** @description The budget is gone. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BudgetDeleted"];
                    };
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Default: open conversations. */
                state?: "open" | "closed";
                /** @description Only those of this person, by id; `me` for the signed-in person; `none` for those of nobody. */
                assignee?: string;
                /** @description Only those with unread messages. */
                unread?: boolean;
                /** @description `closing`: only those whose 24-hour window closes within 4 hours. */
                window?: "closing";
                /** @description `activity`: the latest first. `waiting`: only customers without a reply, those who wait longest first. */
                order?: "activity" | "waiting";
                /** @description Conversations per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: {
            /** @description A page of conversations. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["ConversationList"];
                    };
                };
            };
        };
    };
    getConversation: {
        parameters: {
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: {
            /** @description What is written with a customer, and who replies. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
        };
    };
    assignConversation: {
        parameters: {
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssigneeChange"];
            };
        };
        responses: {
            /** @description What is written with a customer, and who replies. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
        };
    };
    closeConversation: {
        parameters: {
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: {
            /** @description What is written with a customer, and who replies. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
        };
    };
    getConversationControl: {
        parameters: {
            query?: {
                /** @description The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: {
            /** @description Who replies in a conversation, as far as Meta has told. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["ConversationControl"];
                    };
                };
            };
        };
    };
    controlConversation: {
        parameters: {
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ControlRequest"];
            };
        };
        responses: {
            /** @description Who replies in a conversation, as far as Meta has told. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["ConversationControl"];
                    };
                };
            };
        };
    };
    reopenConversation: {
        parameters: {
            path: {
                /** @description Phone number with + and country code, or the user id of a customer who hides the number. */
                customer_id: string;
            };
        };
        responses: {
            /** @description What is written with a customer, and who replies. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
        };
    };
    getCosts: {
        parameters: {
            query?: {
                /** @description First day. Default: the first day of this month. */
                from?: string;
                /** @description The day after the last one. Default: tomorrow. */
                to?: string;
                /** @description Up to two of template, type, category, country, phone_number, api_key, broadcast, day, pricing_category; comma separated or repeated. `category` is that of the template, `pricing_category` what Meta charged the message as. */
                group_by?: string[];
                /** @description Only messages of this template. */
                template?: string;
                /** @description Only messages of this one of your numbers; its id. */
                phone_number?: string;
                /** @description Only messages sent with this API key; its id. */
                api_key?: string;
                /** @description Only messages of this broadcast; its id. */
                broadcast?: string;
                /** @description Most expensive groups to return; all others are left out. Groups by day are all returned. */
                limit_groups?: number;
            };
        };
        responses: {
            /** @description What delivered messages cost, by the rate cards that are imported. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Costs"];
                    };
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Only the customer who has this address. Phone number with + and country code, or the user id of a customer who hides the number. Percent-encode the +. */
                address?: string;
                /** @description Customers per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
        };
        responses: {
            /** @description A page of customers. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["CustomerList"];
                    };
                };
            };
        };
    };
    createCustomer: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerRequest"];
            };
        };
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            path: {
                /** @description Id of the customer, also one that they had before two were found to be one. */
                customer_id: string;
            };
        };
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
        };
    };
    setCustomerPreference: {
        parameters: {
            path: {
                /** @description Id of the customer, also one that they had before two were found to be one. */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerPreferenceRequest"];
            };
        };
        responses: {
            /** @description A customer, and what each of your numbers knows of them. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
        };
    };
    getKeywords: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: {
            /** @description Words with which customers stop marketing messages of a number, or allow them again. Without words, the setting is off. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Keywords"];
                    };
                };
            };
        };
    };
    setKeywords: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeywordsChange"];
            };
        };
        responses: {
            /** @description Words with which customers stop marketing messages of a number, or allow them again. Without words, the setting is off. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Keywords"];
                    };
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: {
            /** @description The short links of a number, as Meta has them now. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["LinkList"];
                    };
                };
            };
        };
    };
    createLink: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description A short link that opens a conversation with a number, and its QR code. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Link"];
                    };
                };
            };
        };
    };
    updateLink: {
        parameters: {
            path: {
                /** @description Meta's code of the link. */
                link_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description A short link that opens a conversation with a number, and its QR code. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Link"];
                    };
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
            path: {
                /** @description Meta's code of the link. */
                link_id: string;
            };
        };
        responses: {
            /** @description A short link that no longer works. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["LinkDeleted"];
                    };
                };
            };
        };
    };
    uploadMedia: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
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
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["MediaFile"];
                    };
                };
            };
        };
    };
    getMedia: {
        parameters: {
            path: {
                /** @description Id of the file. */
                media_id: string;
            };
        };
        responses: {
            /** @description A stored file, without its bytes. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["MediaFile"];
                    };
                };
            };
        };
    };
    deleteMedia: {
        parameters: {
            path: {
                /** @description Id of the file. */
                media_id: string;
            };
        };
        responses: {
            /** @description The file that was deleted. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["DeletedMedia"];
                    };
                };
            };
        };
    };
    getMediaContent: {
        parameters: {
            path: {
                /** @description Id of the file. */
                media_id: string;
            };
        };
        responses: {
            /** @description The bytes of the file, with its own `Content-Type`. */
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
                /** @description Messages per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only messages you sent, or only those from customers. */
                direction?: "outbound" | "inbound";
                /** @description One or several of waiting, queued, sent, delivered, read, failed, canceled, received; comma separated. With `waiting` alone: the next to be sent first. */
                status?: string;
                /** @description Only messages of this type, for example `text`. */
                type?: string;
                /** @description Only messages with this customer: the phone number, or the WhatsApp user id. */
                phone_number?: string;
                /** @description Only messages of this template. */
                template?: string;
                /** @description Only messages with exactly this reference. */
                client_reference?: string;
                /** @description Only messages sent with this API key; its id. */
                api_key_id?: string;
                /** @description Only messages for which it is not known whether Meta accepted them. */
                outcome?: "unknown";
                /** @description Only messages created at or after this date or date-time. */
                since?: string;
                /** @description Only messages created before this date or date-time. */
                until?: string;
                /** @description Newest or oldest first. Default: `desc`; `asc` with the status `waiting` alone. */
                order?: "desc" | "asc";
            };
        };
        responses: {
            /** @description A page of messages. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["MessageList"];
                    };
                };
            };
        };
    };
    cancelMessages: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelMessages"];
            };
        };
        responses: {
            /** @description What was canceled. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["CanceledMessages"];
                    };
                };
            };
        };
    };
    sendContacts: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendContacts"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendInteractive: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendInteractive"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendLocation: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendLocation"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendMedia: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMedia"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendReaction: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendReaction"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendText: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendText"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentText"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendSticker: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendSticker"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentOther"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    sendTemplate: {
        parameters: {
            query?: {
                /** @description Check the request and say what would happen; nothing is sent. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendTemplate"];
            };
        };
        responses: {
            /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`. */
                        data: components["schemas"]["SentTemplate"] | components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    getMessage: {
        parameters: {
            path: {
                /** @description Id of the message. */
                message_id: string;
            };
        };
        responses: {
            /** @description A message with everything that is known about it. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            path: {
                /** @description Id of the message. */
                message_id: string;
            };
        };
        responses: {
            /** @description The message that was canceled. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["CanceledMessage"];
                    };
                };
            };
        };
    };
    markMessageRead: {
        parameters: {
            path: {
                /** @description Id of the message. */
                message_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MarkRead"];
            };
        };
        responses: {
            /** @description The message that was marked as read. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["MarkedRead"];
                    };
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: {
                /** @description The WhatsApp number: one of your numbers, or its id. Default: your default number. */
                from?: string;
            };
        };
        responses: {
            /** @description What customers see about a number, as Meta has it at this moment. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BusinessProfile"];
                    };
                };
            };
        };
    };
    updateProfile: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["BusinessProfileChanges"];
            };
        };
        responses: {
            /** @description What customers see about a number, as Meta has it at this moment. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["BusinessProfile"];
                    };
                };
            };
        };
    };
    listSavedReplies: {
        responses: {
            /** @description The saved replies of the account, by shortcut. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["SavedReplyList"];
                    };
                };
            };
        };
    };
    createSavedReply: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedReplyRequest"];
            };
        };
        responses: {
            /** @description A text that agents send again and again. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["SavedReply"];
                    };
                };
            };
        };
    };
    updateSavedReply: {
        parameters: {
            path: {
                /** @description Id of the saved reply. */
                saved_reply_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedReplyRequest"];
            };
        };
        responses: {
            /** @description A text that agents send again and again. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["SavedReply"];
                    };
                };
            };
        };
    };
    deleteSavedReply: {
        parameters: {
            path: {
                /** @description Id of the saved reply. */
                saved_reply_id: string;
            };
        };
        responses: {
            /** @description The saved reply is gone. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["SavedReplyDeleted"];
                    };
                };
            };
        };
    };
    getServiceTimes: {
        parameters: {
            query?: {
                /** @description Start of the range, inclusive. Whole days in UTC: a moment means its day. Default: 6 days ago. */
                from?: string;
                /** @description End of the range, exclusive, at most 92 days after the start. A moment within a day includes that day. Default: today is the last day. */
                to?: string;
            };
        };
        responses: {
            /** @description How long customers waited for a reply of a person. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["ServiceTimes"];
                    };
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Only templates with one of these statuses, comma separated. Default: all but `deleted`. */
                status?: string;
                /** @description Only templates of this category. */
                category?: "marketing" | "utility" | "authentication";
                /** @description Only templates in this language. */
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
        };
        responses: {
            /** @description A page of templates. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["TemplateList"];
                    };
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDraft"];
            };
        };
        responses: {
            /** @description A message template in one language. */
            201: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Template"];
                    };
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            path: {
                /** @description Id of the template. */
                template_id: string;
            };
        };
        responses: {
            /** @description A message template with its use and its history. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["TemplateWithHistory"];
                    };
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            path: {
                /** @description Id of the template. */
                template_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChanges"];
            };
        };
        responses: {
            /** @description A message template in one language. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Template"];
                    };
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            path: {
                /** @description Id of the template. */
                template_id: string;
            };
        };
        responses: {
            /** @description The template that was deleted. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["DeletedTemplate"];
                    };
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            path: {
                /** @description Id of the template. */
                template_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TemplatePreviewRequest"];
            };
        };
        responses: {
            /** @description The template as the customer would see it. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["TemplatePreview"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type. */
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
                /** @description Where to start: with the first event recorded at or after this time. Ignored with `cursor`, which remembers it. */
                since?: string;
                /** @description Only events of this message. */
                message_id?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
            };
        };
        responses: {
            /** @description A page of events. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description A page of events. */
                        data: {
                            /** @description The events of this page, in order. */
                            events: components["schemas"]["Event"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    triggerEvent: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerRequest"];
            };
        };
        responses: {
            /** @description How the event was triggered. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["TriggeredEvent"];
                    };
                };
            };
        };
    };
    listenToEvents: {
        parameters: {
            query?: {
                /** @description Event types, separated by commas; `message.*` is all of a family. Default: everything. */
                events?: string;
                /** @description The `id` of the last event you handled; the stream continues after it. */
                cursor?: string;
                /** @description Without `cursor`: start with the events recorded since then instead of the next one. */
                since?: string;
            };
        };
        responses: {
            /** @description A stream of events that stays open. */
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    reportForwarded: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForwardReport"];
            };
        };
        responses: {
            /** @description The delivery as the log has it now. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["ForwardRecord"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        responses: {
            /** @description The webhooks of the account. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The webhooks of the account. */
                        data: {
                            /** @description Every webhook of the account. */
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
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDraft"];
            };
        };
        responses: {
            /** @description The webhook that was created. */
            201: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: {
            /** @description A webhook with its state. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description A webhook with its state. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: {
            /** @description The webhook that was deleted. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description The webhook that was deleted. */
                        data: {
                            /**
                             * @description Id of the webhook, `whk_…`.
                             * @example whk_01ka3m7y3t4d0v9v4k6q1t7r2c
                             */
                            id: string;
                            /** @description Always true. */
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
                /** @description Only deliveries with this status, or with one of several, separated by commas. */
                status?: string;
                /** @description Only events of this type. */
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "message.canceled" | "message.standby" | "message.echoed" | "conversation.control_changed" | "conversation.assigned" | "conversation.closed" | "customer.preference_changed" | "payment.updated" | "broadcast.started" | "broadcast.held" | "broadcast.paused" | "broadcast.resumed" | "broadcast.completed" | "broadcast.canceled" | "template.status_changed" | "template.quality_changed" | "template.category_changed" | "template.category_change_announced" | "number.quality_changed" | "number.limit_changed" | "number.name_changed" | "number.username_changed" | "number.throughput_changed" | "account.restricted" | "account.warned" | "account.restored" | "channel.token_expiring" | "channel.token_lost" | "channel.disconnected" | "channel.reconnected" | "webhook.failing" | "webhook.disabled" | "budget.warned" | "budget.exceeded" | "account.quota_warning";
                /** @description Only deliveries created at or after this time. */
                since?: string;
                /** @description Only deliveries created before this time. */
                until?: string;
                /** @description Only events of this message. */
                message_id?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: {
            /** @description A page of deliveries. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        /** @description A page of deliveries. */
                        data: {
                            /** @description The deliveries of this page. */
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
                /** @description Id of the webhook. */
                webhook_id: string;
                /** @description Id of the delivery. */
                delivery_id: string;
            };
        };
        responses: {
            /** @description A delivery with its body and its attempts. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["DeliveryWithAttempts"];
                    };
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
                /** @description Id of the delivery. */
                delivery_id: string;
            };
        };
        responses: {
            /** @description One event for one webhook. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    replayDeliveries: {
        parameters: {
            header?: {
                /** @description A request that is repeated with the same key within 24 hours has one effect, and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description What a replay will deliver again. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Replay"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateRequest"];
            };
        };
        responses: {
            /** @description The new signing secret of the webhook. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["RotatedSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description Response of the receiver to the sample. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["WebhookTest"];
                    };
                };
            };
        };
    };
    verifyWebhook: {
        parameters: {
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
        };
        responses: {
            /** @description A webhook with its state. */
            200: {
                content: {
                    "application/json": {
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
}
