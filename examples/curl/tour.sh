#!/bin/sh
# The whole API, from the first token to its end, with curl. See README.md.
set -eu

: "${POSTERN_BASE_URL:?the address of the gateway, for example http://localhost:8080}"
: "${POSTERN_API_KEY:?the API key, as the first start printed it}"
: "${POSTERN_API_SECRET:?its secret}"

customer='+12025550100'
run=$(date +%s)
token=''

# call WANTED_STATUS METHOD PATH [JSON] [more curl arguments]: prints request and answer, leaves the answer in $answer
call() {
  wanted=$1 method=$2 path=$3 json=${4:-}
  shift $(($# < 4 ? $# : 4))
  printf '%s %s %s\n' "$method" "$path" "$json" | without_secrets
  [ -z "$json" ] || set -- -H 'Content-Type: application/json' -d "$json" "$@"
  [ -z "$token" ] || set -- -H "Authorization: Bearer $token" "$@"
  answer=$(curl -sS -X "$method" "$POSTERN_BASE_URL$path" -w '\n%{http_code}' "$@")
  status=$(printf '%s' "$answer" | tail -n 1)
  answer=$(printf '%s' "$answer" | sed '$d')
  printf '  -> %s %s\n' "$status" "$answer" | without_secrets | cut -c 1-700
  if [ "$status" != "$wanted" ]; then
    printf 'expected %s, got: %s\n' "$wanted" "$answer" >&2
    exit 1
  fi
}

without_secrets() {
  sed -E 's/"(access_token|api_secret)":"[^"]*"/"\1":"..."/g'
}

# field NAME: the first text of that name in the last answer
field() {
  printf '%s' "$answer" | sed -nE 's/.*"data":(.*)/\1/; s/^[^}]*"'"$1"'":"([^"]*)".*/\1/p'
}

step() {
  printf '\n# %s\n' "$1"
}

# Message ids can have characters that a path must not have.
encoded() {
  printf '%s' "$1" | sed 's|%|%25|g; s|/|%2F|g; s|+|%2B|g; s|=|%3D|g'
}

step 'A token, and whose it is'
call 200 POST /v1/auth/token "{\"api_key\":\"$POSTERN_API_KEY\",\"api_secret\":\"$POSTERN_API_SECRET\"}"
token=$(field access_token)
call 200 GET /v1/auth/me

step 'A text, within 24 hours of the last message of the customer'
call 200 POST /v1/chat/messages/send "{\"to\":\"$customer\",\"message\":\"Hello from the tour\"}"
message=$(encoded "$(field message_id)")

step 'A template, at any time'
call 200 POST /v1/chat/messages/template "{\"to\":\"$customer\",\"template\":\"order_confirmation\",\"language\":\"en_US\",
  \"components\":[{\"type\":\"body\",\"parameters\":[{\"type\":\"text\",\"text\":\"Ana\"},
  {\"type\":\"text\",\"text\":\"A-1001\"},{\"type\":\"text\",\"text\":\"42.00 EUR\"}]}]}"

step 'Buttons'
call 200 POST /v1/chat/messages/interactive "{\"to\":\"$customer\",\"type\":\"buttons\",\"body\":\"Is tomorrow all right?\",
  \"buttons\":[{\"id\":\"yes\",\"title\":\"Yes\"},{\"id\":\"no\",\"title\":\"No\"}]}"

step 'A file: uploaded, then sent'
pdf=$(mktemp)
trap 'rm -f "$pdf"' EXIT
printf '%%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%%%EOF\n' > "$pdf"
call 201 POST /v1/chat/media '' -F "file=@$pdf;filename=invoice.pdf;type=application/pdf"
media=$(field media_id)
call 200 POST /v1/chat/messages/media "{\"to\":\"$customer\",\"type\":\"document\",\"media_id\":\"$media\",\"caption\":\"Your invoice\"}"

step 'The same request twice: one message'
call 200 POST /v1/chat/messages/send "{\"to\":\"$customer\",\"message\":\"Only once\"}" -H "Idempotency-Key: tour-$run"
first=$(field message_id)
call 200 POST /v1/chat/messages/send "{\"to\":\"$customer\",\"message\":\"Only once\"}" -H "Idempotency-Key: tour-$run"
[ "$first" = "$(field message_id)" ]
echo "both answers have $first"

step 'What became of the first text'
tries=0
while :; do
  call 200 GET "/v1/chat/messages/$message"
  [ "$(field status)" != read ] || break
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo 'the customer has not read it after a minute' >&2; exit 1; }
  sleep 1
done
echo 'the customer has read it'
call 200 GET '/v1/chat/messages?limit=3&direction=outbound'

step 'Templates'
call 200 GET '/v1/chat/templates?status=approved&limit=3'
call 201 POST /v1/chat/templates "{\"name\":\"tour_$run\",\"language\":\"en_US\",\"category\":\"utility\",\"components\":[
  {\"type\":\"body\",\"text\":\"Hello {{1}}, your table $run is ready.\",\"variables\":[{\"name\":\"name\",\"example\":\"Ana\"}]}]}"
template=$(field id)
call 200 POST "/v1/chat/templates/$template/preview" '{}'

step 'A webhook'
call 201 POST /v1/webhooks '{"url":"https://localhost:9443/postern","events":["message.delivered"],"active":false}'
webhook=$(field id)
call 200 PUT "/v1/webhooks/$webhook" '{"events":["message.delivered","message.read"]}'
call 200 GET /v1/webhooks
call 200 DELETE "/v1/webhooks/$webhook"

step 'What happened, and how much'
call 200 GET '/v1/events?limit=2'
call 200 GET '/v1/chat/analytics?granularity=day'

step 'A mistake: the answer names each field and how to write it'
call 400 POST /v1/chat/messages/send '{"to":"0912345678","mesage":"Hello"}'

step 'A newer token, then none'
call 200 POST /v1/auth/refresh
token=$(field access_token)
call 200 POST /v1/auth/revoke
call 401 GET /v1/auth/me

printf '\nThe tour is complete.\n'
