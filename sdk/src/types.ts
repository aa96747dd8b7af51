// Generated from docs/api/openapi.json by scripts/generate.ts: change the schemas of the server.

export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessToken: {
            /** @description Opaque; its contents may change any time. */
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
        };
        Analytics: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "hour" | "day" | "month";
            timezone: string;
            group_by: ("template" | "type" | "category" | "country" | "phone_number" | "api_key" | "error_code")[];
            /**
             * Format: date-time
             * @description Delivered and read may still grow for messages created before it.
             */
            as_of: string;
            totals: {
                /** @description Accepted by Meta. */
                sent: number;
                delivered: number;
                read: number;
                failed: number;
                received: number;
                /** @description Delivered of sent, in percent with two decimals. */
                delivery_rate: number | null;
                /** @description Read of delivered, in percent with two decimals. */
                read_rate: number | null;
                /** @description Handed in, whatever became of them. */
                created: number;
                /** @description Null with filters, for ranges that are not whole UTC days, and for those older than messages are kept. */
                unique_recipients: number | null;
                /** @description From sent to delivered, interpolated from fixed buckets. */
                delivery_seconds_p50: number | null;
                /** @description From sent to delivered, interpolated from fixed buckets. */
                delivery_seconds_p95: number | null;
            };
            series: {
                /** @description One value per grouping; null where messages have none, `other` for all that is not shown. */
                group: {
                    template?: string | null;
                    type?: string | null;
                    category?: string | null;
                    country?: string | null;
                    phone_number?: string | null;
                    api_key?: string | null;
                    error_code?: string | null;
                };
                totals: {
                    /** @description Accepted by Meta. */
                    sent: number;
                    delivered: number;
                    read: number;
                    failed: number;
                    received: number;
                    /** @description Delivered of sent, in percent with two decimals. */
                    delivery_rate: number | null;
                    /** @description Read of delivered, in percent with two decimals. */
                    read_rate: number | null;
                };
                points: components["schemas"]["AnalyticsPoint"][];
            }[];
            failures: {
                code: string;
                count: number;
            }[];
            /** @description Delivered messages by Meta's pricing category and type, where it named them. */
            pricing: {
                category: string;
                /** @description regular, free_customer_service or free_entry_point; null where it was not told. */
                type: string | null;
                count: number;
            }[];
        };
        AnalyticsPoint: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            /** @description Accepted by Meta. */
            sent: number;
            delivered: number;
            read: number;
            failed: number;
            received: number;
            /** @description Delivered of sent, in percent with two decimals. */
            delivery_rate: number | null;
            /** @description Read of delivered, in percent with two decimals. */
            read_rate: number | null;
        };
        ApiError: {
            /**
             * @description Stable; new ones may appear, none is renamed inside v1.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_json" | "malformed_request" | "unsupported_media_type" | "unsupported_content_encoding" | "payload_too_large" | "invalid_cursor" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "concurrent_change" | "api_key_revoked" | "message_not_inbound" | "message_not_resendable" | "customer_window_closed" | "recipient_unreachable" | "recipient_opted_out" | "recipient_not_allowed" | "message_type_not_supported" | "template_not_approved" | "template_paused" | "template_parameter_mismatch" | "template_already_exists" | "template_invalid" | "template_locked" | "media_type_not_supported" | "media_too_large" | "media_content_mismatch" | "media_link_unreachable" | "webhook_url_not_allowed" | "webhook_inactive" | "webhook_limit_reached" | "webhook_verification_failed" | "channel_rejected" | "missing_credentials" | "invalid_credentials" | "setup_link_invalid" | "api_key_inactive" | "api_key_not_accepted" | "invalid_token" | "token_expired" | "token_revoked" | "token_refresh_window_closed" | "token_reused" | "insufficient_scope" | "number_not_allowed" | "insufficient_role" | "recent_sign_in_required" | "cross_site_request" | "last_owner" | "sandbox_not_available" | "ip_not_allowed" | "account_suspended" | "plan_not_sufficient" | "channel_not_connected" | "business_not_verified" | "channel_account_restricted" | "channel_payment_missing" | "channel_display_name_needed" | "endpoint_not_found" | "member_not_found" | "session_not_found" | "api_key_not_found" | "channel_not_found" | "message_not_found" | "template_not_found" | "media_not_found" | "webhook_not_found" | "delivery_not_found" | "rate_limit_exceeded" | "too_many_streams" | "too_many_attempts" | "channel_rate_limited" | "internal_error" | "service_unavailable" | "upstream_unavailable" | "send_outcome_unknown" | "channel_auth_failed" | "channel_permission_missing" | "channel_number_not_registered" | "channel_number_not_verified" | "channel_pin_rejected";
            /** @enum {string} */
            type: "invalid_request" | "authentication" | "permission" | "not_found" | "rate_limit" | "channel" | "server";
            /** @description The HTTP status, for logs that lose it. */
            status: number;
            /** @description One sentence for a developer; its wording may change. */
            message: string;
            /** @description True when the identical request can succeed later; on POST only with the same Idempotency-Key. */
            retryable: boolean;
            request_id: string;
            doc_url: string;
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Seconds; the same number as the Retry-After header. */
            retry_after?: number;
            required_scope?: string;
            limit?: {
                /** @enum {string} */
                policy: "hour" | "day";
                quota: number;
                used: number;
                window_seconds: number;
                /** Format: date-time */
                resets_at: string;
            };
            /** @description Provisional id of the stored record. */
            message_id?: string;
            upstream?: {
                code: number | null;
                title: string | null;
                detail: string | null;
                trace_id: string | null;
            };
        };
        CreatedWebhook: {
            /** @description Begins with `whk_`. */
            id: string;
            url: string;
            events: string[];
            active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        CurrentUser: {
            account: {
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "starter" | "professional" | "enterprise";
                status: string;
                /** Format: date-time */
                created_at: string;
            };
            api_key: {
                id: string;
                name: string;
                /** @description Shortened. */
                key: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string | null;
                /** Format: date-time */
                last_used_at: string | null;
            };
            /** @description The person who created the key; for keys of the command line the owner of the account. */
            user: {
                id: string;
                name: string;
                email: string | null;
            };
            /** @description Null for a call with Basic credentials. */
            token: {
                id: string;
                /** Format: date-time */
                issued_at: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                refreshable_until: string;
            } | null;
            scopes: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read")[];
            channel: {
                connected: boolean;
                business_verified: boolean;
                phone_numbers: {
                    id: string;
                    phone_number: string;
                    display_name: string | null;
                    quality: string | null;
                    default: boolean;
                }[];
            };
            /** @description `hour` and `day` are null on a plan without limits. */
            limits: {
                hour: {
                    quota: number;
                    used: number;
                    remaining: number;
                    /** Format: date-time */
                    resets_at: string;
                } | null;
                day: {
                    quota: number;
                    used: number;
                    remaining: number;
                    /** Format: date-time */
                    resets_at: string;
                } | null;
                /** @description Bytes of stored files; `quota` is null without a limit. */
                media_bytes: {
                    quota: number | null;
                    used: number;
                };
            };
        };
        DeletedMedia: {
            media_id: string;
            /** @enum {boolean} */
            deleted: true;
        };
        DeletedTemplate: {
            id: string;
            /** @enum {boolean} */
            deleted: true;
        };
        Delivery: {
            id: string;
            event_id: string;
            type: string;
            message_id: string | null;
            /** @enum {string} */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            attempt_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        DeliveryAttempt: {
            id: string;
            /** @description 1 for the first. */
            number: number;
            /** @enum {string} */
            trigger: "schedule" | "manual" | "replay" | "test";
            /** @description Where it was sent. */
            url: string;
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
            /** @description What the receiver answered; null when it did not. */
            status_code: number | null;
            error_code: string | null;
            error_message: string | null;
            remote_ip: string | null;
            response_headers: {
                [key: string]: string;
            };
            /** @description The first 4 KiB. */
            response_body: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Finished after another process had taken the delivery over; counts nowhere. */
            late: boolean;
        };
        DeliveryWithAttempts: {
            id: string;
            event_id: string;
            type: string;
            message_id: string | null;
            /** @enum {string} */
            status: "held" | "skipped" | "pending" | "sending" | "delivered" | "failed" | "cancelled" | "expired";
            attempt_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The exact text that is sent and signed. */
            request_body: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DryRun: {
            /** @enum {boolean} */
            dry_run: true;
            would_send: boolean;
            type: string | null;
            used: string | null;
            window: {
                /** @enum {string} */
                state: "open" | "closed" | "unknown";
                /** Format: date-time */
                expires_at: string | null;
            } | null;
            template: {
                name: string;
                language: string;
                category: string;
            } | null;
            media: components["schemas"]["MediaFile"] | null;
            content: {
                [key: string]: unknown;
            } | null;
            quota: {
                hour_remaining: number;
                day_remaining: number;
            } | null;
            pace: {
                /** @description What Meta allows the number. */
                sends_per_second: number;
                /** @description How long the message would wait for its turn now. */
                wait_ms: number;
            } | null;
            problems: {
                code: string;
                message: string;
                details: components["schemas"]["ErrorDetail"][];
            }[];
        };
        ErrorAnswer: {
            /** @enum {boolean} */
            success: false;
            data: null;
            error: components["schemas"]["ApiError"];
        };
        ErrorDetail: {
            /** @description Dotted path with indexes, for example components[1].parameters[0].text. */
            field: string;
            /** @enum {string} */
            location: "body" | "query" | "path" | "header";
            /** @enum {string} */
            code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_short" | "too_long" | "out_of_range" | "too_many_items" | "duplicate" | "invalid_phone_number" | "invalid_language" | "invalid_url" | "https_required" | "mutually_exclusive" | "one_of_required" | "invalid_secret";
            message: string;
            /** @description What was sent; only short values that are no secret. */
            received?: string;
            /** @description A correct value to copy. */
            example?: unknown;
        };
        Event: {
            /** @description The same on every repeat and for every webhook: deduplicate by it. */
            id: string;
            type: string;
            api_version: string;
            /**
             * Format: date-time
             * @description When the gateway recorded it.
             */
            timestamp: string;
            data: {
                [key: string]: unknown;
            };
        };
        ForwardRecord: {
            webhook_id: string;
            delivery_id: string;
            /** @enum {string} */
            status: "delivered" | "failed";
        };
        ForwardReport: {
            /** @description As it came with the delivery. */
            receipt: string;
            /** @description Where it was posted. */
            url: string;
            duration_ms: number;
            /** @description Absent when no answer came. */
            status_code?: number | null;
            error_code?: ("timeout" | "connection_reset" | "connection_refused" | "dns_error" | "tls_error" | "protocol_error") | null;
            error_message?: string | null;
            /** @description The first 4 KiB are kept. */
            response_body?: string | null;
        };
        ListedTemplate: {
            id: string;
            name: string;
            language: string;
            /** @enum {string} */
            category: "marketing" | "utility" | "authentication";
            next_category: ("marketing" | "utility" | "authentication") | null;
            /** @enum {string} */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            quality: ("high" | "medium" | "low") | null;
            /** @enum {string} */
            source: "catalog" | "api" | "platform";
            channel: ("sandbox" | "cloud") | null;
            /** @enum {string} */
            parameter_format: "positional" | "named";
            components: ({
                /** @enum {string} */
                type: "header" | "body" | "footer" | "buttons" | "other";
            } & {
                [key: string]: unknown;
            })[];
            variables: {
                /** @enum {string} */
                component: "header" | "body";
                position: number;
                name: string | null;
                example: string | null;
            }[];
            /** @description Counts the contents it has had, from 1. */
            version: number;
            channel_template_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            reviewed_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description Of this language, today and the six days before it in UTC. */
            last_7_days: {
                sent: number;
                delivered: number;
                read: number;
                failed: number;
            };
        };
        MarkRead: {
            /** @description Also show that an answer is being typed. */
            typing?: boolean | null;
        };
        MarkedRead: {
            message_id: string;
            /** @enum {string} */
            status: "read";
        };
        MediaFile: {
            media_id: string;
            /** @enum {string} */
            type: "image" | "document" | "audio" | "video";
            mime_type: string;
            filename: string | null;
            /** @description In bytes; null while an inbound file is being fetched. */
            size: number | null;
            /** @description Hexadecimal; null while an inbound file is being fetched. */
            sha256: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        Message: {
            message_id: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            type: string;
            from: string | null;
            to: string | null;
            user_id: string | null;
            /** @description queued, sent, delivered, read, failed; received for inbound messages. */
            status: string;
            /** @description `unknown` while nobody knows whether Meta has the message. */
            outcome: string | null;
            template: string | null;
            language: string | null;
            client_reference: string | null;
            reply_to: string | null;
            /** @description The group a customer wrote in; answers to it cannot be sent. */
            group_id: string | null;
            /** @description Meta holds it back while it checks the quality of the template. */
            held: boolean;
            used: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** Format: date-time */
            read_at: string | null;
            /** Format: date-time */
            failed_at: string | null;
            error: {
                code: string;
                message: string;
                retryable: boolean;
                upstream: {
                    code: number | null;
                    title: string | null;
                    detail: string | null;
                    trace_id: string | null;
                } | null;
            } | null;
            /** @description Of inbound messages. */
            contact: {
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When what was said was erased; the record stays.
             */
            content_purged_at: string | null;
            content: {
                [key: string]: unknown;
            } | null;
            history: {
                status: string;
                /** Format: date-time */
                at: string;
                /** Format: date-time */
                recorded_at: string;
                /** @enum {string} */
                source: "gateway" | "channel";
                inferred: boolean;
            }[];
            window: {
                /** @enum {string} */
                state: "open" | "closed" | "unknown";
                /** Format: date-time */
                expires_at: string | null;
            };
            /** @description Whether the customer takes marketing messages of this number, as far as they told WhatsApp. */
            marketing: {
                /** @enum {string} */
                state: "opted_out" | "opted_in" | "unknown";
                /** Format: date-time */
                since: string | null;
            };
        };
        MessageList: {
            messages: components["schemas"]["MessageListItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        MessageListItem: {
            message_id: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            type: string;
            from: string | null;
            to: string | null;
            user_id: string | null;
            /** @description queued, sent, delivered, read, failed; received for inbound messages. */
            status: string;
            /** @description `unknown` while nobody knows whether Meta has the message. */
            outcome: string | null;
            template: string | null;
            language: string | null;
            client_reference: string | null;
            reply_to: string | null;
            /** @description The group a customer wrote in; answers to it cannot be sent. */
            group_id: string | null;
            /** @description Meta holds it back while it checks the quality of the template. */
            held: boolean;
            used: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** Format: date-time */
            read_at: string | null;
            /** Format: date-time */
            failed_at: string | null;
            error: {
                code: string;
                message: string;
                retryable: boolean;
                upstream: {
                    code: number | null;
                    title: string | null;
                    detail: string | null;
                    trace_id: string | null;
                } | null;
            } | null;
            /** @description Of inbound messages. */
            contact: {
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When what was said was erased; the record stays.
             */
            content_purged_at: string | null;
        };
        Pagination: {
            limit: number;
            has_more: boolean;
            next_cursor: string | null;
        };
        RefreshRequest: {
            /** @description If given, the same token as the bearer. */
            access_token?: string | null;
        };
        Replay: {
            replay_id: string;
            matched: number;
            /** @description At most 10,000 a call. */
            queued: number;
        };
        ReplayRequest: {
            /** @example 2026-11-15T10:00:00Z */
            since: string;
            /** @example 2026-11-15T10:00:00Z */
            until?: string | null;
            status?: ("failed" | "all") | null;
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "customer.*" | "template.*" | "webhook.*" | "account.*")[] | "*"[]) | null;
        };
        Revocation: {
            revoked: boolean;
            token_id: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        RevokeRequest: {
            /** @description Another access token of the same API key. */
            token?: string | null;
            /** @description The same as `token`. */
            access_token?: string | null;
            /** @description Also every other token that descends from the same token call; descendants of the token go in any case. */
            chain?: boolean | null;
        };
        RotateRequest: {
            /** @description Signs deliveries. `whsec_` and base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            /** @description How long the old secret signs too; a day. */
            overlap_seconds?: number | null;
        };
        RotatedSecret: {
            id: string;
            /** @description Shown this once. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then the secret that was just replaced signs too; null when there was none.
             */
            previous_secret_expires_at: string | null;
            /** @description Two secrets sign at most. True when a third, of a rotation before, was still signing: it ended with this call, before the time that was announced for it. */
            earlier_secret_ended: boolean;
        };
        /**
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
         */
        SendInteractive: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description One of your numbers, or its id; the default number otherwise. */
            from?: string | null;
            /** @description Id of the message to quote. */
            reply_to?: string | null;
            /** @description Yours; echoed in the record and in events. */
            client_reference?: string | null;
            /** @enum {string} */
            type: "buttons" | "list" | "quick_replies";
            header?: ({
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image" | "video" | "document";
                media_id?: string | null;
                link?: string | null;
                filename?: string | null;
            }) | null;
            body: string;
            footer?: string | null;
            buttons?: {
                id: string;
                title: string;
            }[] | null;
            button?: string | null;
            sections?: {
                title?: string | null;
                rows: {
                    id: string;
                    title: string;
                    description?: string | null;
                }[];
            }[] | null;
            replies?: string[] | null;
        };
        SendMedia: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description One of your numbers, or its id; the default number otherwise. */
            from?: string | null;
            /** @description Id of the message to quote. */
            reply_to?: string | null;
            /** @description Yours; echoed in the record and in events. */
            client_reference?: string | null;
            /** @enum {string} */
            type: "image" | "document" | "audio" | "video";
            media_id?: string | null;
            link?: string | null;
            caption?: string | null;
            filename?: string | null;
        };
        /**
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
            /** @description One of your numbers, or its id; the default number otherwise. */
            from?: string | null;
            /** @description Id of the message to quote. */
            reply_to?: string | null;
            /** @description Yours; echoed in the record and in events. */
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
            /** @description Values of the template: header, body and button components with their parameters, in order. */
            components?: unknown[] | null;
        };
        SendText: {
            /**
             * @description Phone number in international format with a leading +, or a WhatsApp user id.
             * @example +12025550100
             */
            to: string;
            /** @description One of your numbers, or its id; the default number otherwise. */
            from?: string | null;
            /** @description Id of the message to quote. */
            reply_to?: string | null;
            /** @description Yours; echoed in the record and in events. */
            client_reference?: string | null;
            /** @description Text of 1 to 4096 characters. */
            message: string;
            preview_url?: boolean | null;
            /** @description Template to send instead when the 24-hour window is closed; the answer then has `used`. */
            fallback?: {
                template: string;
                /**
                 * @description Language code of the template.
                 * @example en_US
                 */
                language: string;
                /** @description Values of the template: header, body and button components with their parameters, in order. */
                components?: unknown[] | null;
            } | null;
        };
        SentOther: {
            message_id: string;
            /** @description Null when the customer was erased meanwhile. */
            to: string | null;
            type: string;
            /** @enum {string} */
            status: "sent";
            /** Format: date-time */
            timestamp: string;
        };
        SentTemplate: {
            message_id: string;
            /** @description Null when the customer was erased meanwhile. */
            to: string | null;
            template: string;
            /** @enum {string} */
            status: "sent";
            /** Format: date-time */
            timestamp: string;
        };
        SentText: {
            message_id: string;
            /** @enum {string} */
            status: "sent";
            /**
             * @description Only when the request had a fallback.
             * @enum {string}
             */
            used?: "text" | "template";
        };
        Template: {
            id: string;
            name: string;
            language: string;
            /** @enum {string} */
            category: "marketing" | "utility" | "authentication";
            next_category: ("marketing" | "utility" | "authentication") | null;
            /** @enum {string} */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            quality: ("high" | "medium" | "low") | null;
            /** @enum {string} */
            source: "catalog" | "api" | "platform";
            channel: ("sandbox" | "cloud") | null;
            /** @enum {string} */
            parameter_format: "positional" | "named";
            components: ({
                /** @enum {string} */
                type: "header" | "body" | "footer" | "buttons" | "other";
            } & {
                [key: string]: unknown;
            })[];
            variables: {
                /** @enum {string} */
                component: "header" | "body";
                position: number;
                name: string | null;
                example: string | null;
            }[];
            /** @description Counts the contents it has had, from 1. */
            version: number;
            channel_template_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            reviewed_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        TemplateChanges: {
            /** @description Utility without it. */
            category?: string | null;
            /** @description Short for one component of type body. */
            body?: string | null;
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** @description False only for a draft that stays one. */
            submit?: boolean | null;
        };
        TemplateComponentDraft: {
            type: string;
            /** @description Of a header; text without it. */
            format?: string | null;
            /** @description With {{1}}, {{2}} … or {{name}} for variables. */
            text?: string | null;
            /** @description A name and an example for each variable, in order. */
            variables?: (string | {
                name?: string | null;
                param_name?: string | null;
                example?: string | null;
            })[] | null;
            /** @description Of a media header {link}, {media_id} or {handle}; else Meta's own form. */
            example?: unknown;
            /** @description On a sandbox channel: a send may leave the header out. */
            optional?: boolean | null;
            /** @description Of the body of an authentication template. */
            add_security_recommendation?: boolean | null;
            code_expiration_minutes?: number | null;
            buttons?: {
                type: string;
                /** @description At most 25 characters. */
                text?: string | null;
                /** @description May end in one variable, {{1}}. */
                url?: string | null;
                phone_number?: string | null;
                /** @description A value for the variable of the url. */
                example?: unknown;
                otp_type?: string | null;
                /** @description On a sandbox channel: a send may leave the value out. */
                optional?: boolean | null;
            }[] | null;
        };
        /**
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
            /** @description Lower-case letters, digits and underscores, at most 512. */
            name: string;
            /** @example en_US */
            language?: string | null;
            /** @description Utility without it. */
            category?: string | null;
            /** @description Short for one component of type body. */
            body?: string | null;
            components?: components["schemas"]["TemplateComponentDraft"][] | null;
            /** @description False keeps it as a draft; otherwise it goes to review at once. */
            submit?: boolean | null;
        };
        TemplateList: {
            templates: components["schemas"]["ListedTemplate"][];
            pagination: components["schemas"]["Pagination"];
        };
        TemplatePreview: {
            header: {
                /** @enum {string} */
                kind: "text";
                text: string;
            } | {
                /** @enum {string} */
                kind: "image" | "video" | "document";
                link?: string;
                media_id?: string;
                filename?: string;
            } | null;
            text: string;
            footer: string | null;
            buttons: {
                type: string;
                text: string;
                value: string | null;
            }[];
        };
        TemplatePreviewRequest: {
            /** @description As in a send; the examples without it. */
            components?: unknown[] | null;
        };
        TemplateStatusReason: {
            code: string;
            message: string;
            recommendation: string | null;
            /**
             * Format: date-time
             * @description When a timed pause ends.
             */
            until: string | null;
        };
        TemplateWithHistory: {
            id: string;
            name: string;
            language: string;
            /** @enum {string} */
            category: "marketing" | "utility" | "authentication";
            next_category: ("marketing" | "utility" | "authentication") | null;
            /** @enum {string} */
            status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
            status_reason: components["schemas"]["TemplateStatusReason"] | null;
            quality: ("high" | "medium" | "low") | null;
            /** @enum {string} */
            source: "catalog" | "api" | "platform";
            channel: ("sandbox" | "cloud") | null;
            /** @enum {string} */
            parameter_format: "positional" | "named";
            components: ({
                /** @enum {string} */
                type: "header" | "body" | "footer" | "buttons" | "other";
            } & {
                [key: string]: unknown;
            })[];
            variables: {
                /** @enum {string} */
                component: "header" | "body";
                position: number;
                name: string | null;
                example: string | null;
            }[];
            /** @description Counts the contents it has had, from 1. */
            version: number;
            channel_template_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            reviewed_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description Of this language, today and the six days before it in UTC. */
            last_7_days: {
                sent: number;
                delivered: number;
                read: number;
                failed: number;
            };
            /** @description The last 50 changes, newest first. */
            history: {
                /** @enum {string} */
                kind: "created" | "content" | "status" | "category" | "quality";
                /** @enum {string} */
                cause: "api" | "catalog" | "callback" | "sync";
                /** @enum {string} */
                status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "archived" | "deleted";
                version: number;
                changes: {
                    field: string;
                    from: unknown;
                    to: unknown;
                }[];
                /** Format: date-time */
                at: string;
            }[];
        };
        TokenRequest: {
            /**
             * @description The API key, `ptk_…`.
             * @example ptk_8Fq2LrT0aB3cD4eF5gHx91T
             */
            api_key?: string | null;
            /** @description Its secret, `pts_…`, shown once at creation. */
            api_secret?: string | null;
            /** @description Ask for a narrower token. */
            scopes?: ("messages:send" | "messages:read" | "templates:read" | "templates:write" | "media:write" | "media:read" | "webhooks:read" | "webhooks:write" | "analytics:read")[] | null;
        };
        TriggerRequest: {
            /** @enum {string} */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
            /**
             * @description Phone number of the customer who writes; for `message.received` only.
             * @example +12025550100
             */
            from?: string | null;
            /** @description What the customer writes; for `message.received` only. */
            text?: string | null;
        };
        TriggeredEvent: {
            /** @enum {string} */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
            /**
             * @description A customer of the sandbox wrote; or a sample went to webhooks and listeners; or, on an account with a live number, to listeners only.
             * @enum {string}
             */
            method: "customer_wrote" | "sample" | "sample_to_listeners";
            /** @description The customer who wrote. */
            from: string | null;
            /** @description The sandbox number that was written to. */
            to: string | null;
            /** @description Of the message the customer wrote. */
            message_id: string | null;
            /** @description Clients of `GET /v1/listen` in this account, one per API key. */
            listeners: number;
            /** @description Webhooks that asked for the type and get it. */
            webhooks: components["schemas"]["TriggeredWebhook"][];
        };
        TriggeredWebhook: {
            id: string;
            url: string;
            /** @description How a sample was answered; null for an event on its way. */
            delivered: boolean | null;
            status_code: number | null;
            error_code: string | null;
        };
        Webhook: {
            id: string;
            url: string;
            events: string[];
            active: boolean;
            description: string | null;
            max_in_flight: number;
            max_per_second: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Start of the latest attempt of any event.
             */
            last_triggered: string | null;
            verification: {
                /** @enum {string} */
                status: "pending" | "verified" | "failed";
                /** Format: date-time */
                verified_at: string | null;
                last_error: string | null;
            };
            /** Format: date-time */
            disabled_at: string | null;
            /** @description `failing` or `gone`, when the service switched it off. */
            disabled_reason: string | null;
            stats: {
                /** @description Events of which at least one attempt was made. */
                total_sent: number;
                /** @description Of those, the ones whose latest attempt failed. */
                total_failed: number;
                /** @description Percent with two decimals; 100 before anything was sent. */
                success_rate: number;
            };
        };
        /** @description What is left out stays. `null` clears `secret`, `description` and `max_per_second`; elsewhere it is the same as leaving the field out, and a change of nothing is refused. */
        WebhookChanges: {
            /** @description Public https address of the receiver. */
            url?: string | null;
            events?: (unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "customer.*" | "template.*" | "webhook.*" | "account.*")[] | "*"[]) | null;
            /** @description Signs deliveries. `whsec_` and base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            active?: boolean | null;
            description?: string | null;
            /** @description Deliveries under way at once, from all nodes together; 16 unless given or the operator chose otherwise. 1 sends one after the other, in order while they succeed; a failed one does not hold back the others. */
            max_in_flight?: number | null;
            /** @description Deliveries started per second. */
            max_per_second?: number | null;
        };
        WebhookDraft: {
            /** @description Public https address of the receiver. */
            url: string;
            /**
             * @description Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything.
             * @example [
             *       "message.delivered",
             *       "message.read"
             *     ]
             */
            events: unknown[] | ("message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning" | "message.*" | "customer.*" | "template.*" | "webhook.*" | "account.*")[] | "*"[];
            /** @description Signs deliveries. `whsec_` and base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters. */
            secret?: string | null;
            /** @description True unless given. */
            active?: boolean | null;
            description?: string | null;
            /** @description Deliveries under way at once, from all nodes together; 16 unless given or the operator chose otherwise. 1 sends one after the other, in order while they succeed; a failed one does not hold back the others. */
            max_in_flight?: number | null;
            /** @description Deliveries started per second. */
            max_per_second?: number | null;
        };
        WebhookTest: {
            /** @enum {string} */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
            delivery_id: string;
            delivered: boolean;
            attempt: components["schemas"]["DeliveryAttempt"];
        };
        WebhookTestRequest: {
            /** @enum {string} */
            type: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
        };
    };
    responses: {
        /** @description The request cannot be carried out as it is. `error.code` says why. */
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
        /** @description What the request names does not exist in this account. */
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
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who am I, what may I do, how much is left, is the channel ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CurrentUser"];
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
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Exchange an access token, also a recently expired one, for a new one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessToken"];
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
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeRequest"];
            };
        };
        responses: {
            /** @description Revoke an access token and every token refreshed from it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Revocation"];
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
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Exchange an API key and its secret for an access token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessToken"];
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
                /** @description Inclusive; 7 days ago, from the start of the day, without it. */
                from?: string;
                /** @description Exclusive; now without it. A bare date is the start of that day in the zone. */
                to?: string;
                /** @description At most 31 days, 366 days, 36 months. */
                granularity?: "hour" | "day" | "month";
                /**
                 * @description IANA name; UTC without it.
                 * @example Europe/Lisbon
                 */
                timezone?: string;
                /** @description Up to two of template, type, category, country, phone_number, api_key, error_code; comma separated or repeated. */
                group_by?: string[];
                template?: string;
                type?: string;
                direction?: "outbound" | "inbound";
                /** @description One of your numbers, or its id. */
                phone_number?: string;
                /** @description Id of an API key. */
                api_key?: string;
                /** @description The rest is one group, other. */
                limit_groups?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Messages over time, by what you choose */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    uploadMedia: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description JPEG or PNG (5 MB), PDF (100 MB), MP3 or OGG (16 MB), MP4 (16 MB); 1 MB is 1,048,576 bytes. The type is told from the bytes.
                     */
                    file: string;
                    /** @description Instead of the file's own name; without path, line breaks or control characters. */
                    filename?: string;
                };
            };
        };
        responses: {
            /** @description Upload a file to send later */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Facts about a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeletedMedia"];
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
    getMediaContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of a file */
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
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                direction?: "outbound" | "inbound";
                /** @description One or several of queued, sent, delivered, read, failed, received; comma separated. */
                status?: string;
                type?: string;
                /**
                 * @description The customer's number, or their WhatsApp user id.
                 * @example +12025550100
                 */
                phone_number?: string;
                template?: string;
                client_reference?: string;
                api_key_id?: string;
                outcome?: "unknown";
                /** @description Inclusive; a date or date-time. */
                since?: string;
                /** @description Exclusive; a date or date-time. */
                until?: string;
                order?: "desc" | "asc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MessageList"];
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
                /** @description Answer what would happen; send nothing. */
                dry_run?: boolean;
            };
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendInteractive"];
            };
        };
        responses: {
            /** @description Send buttons, a list or quick replies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
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
                /** @description Answer what would happen; send nothing. */
                dry_run?: boolean;
            };
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMedia"];
            };
        };
        responses: {
            /** @description Send an image, document, audio or video */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
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
                /** @description Answer what would happen; send nothing. */
                dry_run?: boolean;
            };
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendText"];
            };
        };
        responses: {
            /** @description Send a text message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
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
    sendTemplate: {
        parameters: {
            query?: {
                /** @description Answer what would happen; send nothing. */
                dry_run?: boolean;
            };
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendTemplate"];
            };
        };
        responses: {
            /** @description Send a template message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
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
    getMessage: {
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
            /** @description Delivery status of a message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Message"];
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
    markMessageRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MarkRead"];
            };
        };
        responses: {
            /** @description Mark a message of a customer as read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MarkedRead"];
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
                /** @description One or several, comma separated; everything but deleted without it. */
                status?: string;
                category?: "marketing" | "utility" | "authentication";
                /** @example en_US */
                language?: string;
                /** @description Exactly. */
                name?: string;
                /** @description Part of the name or of the body. */
                search?: string;
                source?: "catalog" | "api" | "platform";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List templates by name and language */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDraft"];
            };
        };
        responses: {
            /** @description Create a template and submit it for review */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one template with its history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
            /** @description Edit a template and submit it again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete one language of a template */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TemplatePreviewRequest"];
            };
        };
        responses: {
            /** @description Show a template as a customer would see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TemplatePreview"];
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
    listEvents: {
        parameters: {
            query?: {
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
                /** @example 2026-11-15T10:00:00Z */
                since?: string;
                message_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read events, oldest first; the cursor never ends */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["Event"][];
                            pagination: components["schemas"]["Pagination"];
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
    triggerEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerRequest"];
            };
        };
        responses: {
            /** @description Make a sample of an event happen, in the sandbox as in life */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TriggeredEvent"];
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
    listenToEvents: {
        parameters: {
            query?: {
                /**
                 * @description Event types with commas between; `message.*` is all of a family. Everything without it.
                 * @example message.*,template.status_changed
                 */
                events?: string;
                /** @description The `id` of the last event that was dealt with. */
                cursor?: string;
                /**
                 * @description Without a cursor: begin with the events recorded since then instead of with the next one.
                 * @example 2026-11-15T10:00:00Z
                 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow events as signed deliveries, to post them on your own machine */
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
    reportForwarded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForwardReport"];
            };
        };
        responses: {
            /** @description Tell how your machine answered a delivery, for the log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ForwardRecord"];
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
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List all webhooks with their statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
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
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDraft"];
            };
        };
        responses: {
            /** @description Register a webhook; a challenge is then sent to its url */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
            /** @description Change the given fields of a webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook and cancel what is pending */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: string;
                            /** @enum {boolean} */
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
    listDeliveries: {
        parameters: {
            query?: {
                /** @description One state, or several with commas between. */
                status?: string;
                type?: "message.sent" | "message.delivered" | "message.read" | "message.received" | "message.failed" | "customer.preference_changed" | "template.status_changed" | "webhook.failing" | "webhook.disabled" | "account.quota_warning";
                /** @example 2026-11-15T10:00:00Z */
                since?: string;
                /** @example 2026-11-15T10:00:00Z */
                until?: string;
                message_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the deliveries of a webhook, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            deliveries: components["schemas"]["Delivery"][];
                            pagination: components["schemas"]["Pagination"];
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
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one delivery with all its attempts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
                webhook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Try a delivery again now, with the same event id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the request with the same key within 24 hours has one effect and gets the same answer.
                 * @example order-A-1001
                 */
                "Idempotency-Key"?: string;
            };
            path: {
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
            /** @description Send past events again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
            /** @description Replace the secret; the old one signs beside it for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
            /** @description Deliver a sample event now and show the answer of the receiver */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a challenge now and wait for the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
