#!/usr/bin/env bash
# PUT …/update-assignment accepts more than one of several simultaneous writes with the same version
#
# Clause conflict.differing-version-is-409 (stated): A differing If-Match is answered with 409.
# Found in the run of 2026-11-05 09:30:00 UTC by "of five simultaneous writes with the same version one wins", #6, #7 of exchanges.har.
# It writes to task 7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11, then assigns it as it was; who it is assigned to gets email. The key is that of API_KEY.
# Above each request stands what the run got. Whether the finding is still there is not decided here, but by
# npm run contract -- --base-url https://eu.staging.example/v5 --last-failed

: "${API_KEY:?must be set}"
# No answer steers the terminal.
curl () { command curl "$@" | LC_ALL=C tr -d '\000-\010\013-\037\177'; }
task=https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11
read_task() { curl -sS -g "$task" -H "apikey: $API_KEY" | tr '\n' ' '; }
version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }
assignment() { read_task | grep -oE '"assignment" *: *(null|\{("([^"\\]|\\.)*"|[^"}])*\})' | head -n 1 | sed 's/^"assignment" *: *//'; }
was=$(assignment); [ -n "$was" ] || { echo "The task cannot be read."; exit; }
# However this ends, the task is assigned as it was.
put_back() {
  set +v
  [ -n "$was" ] || { echo "No such task can be read: nothing is put back."; return; }
  if echo "$was" | grep -qE '"assigned_to_id" *: *"'; then body="{\"update\":$was}"; else body='{"unassign":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33"}}'; fi
  [ "$(assignment)" = "$was" ] || curl -sS -g -X PUT "$task/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $(version)" -H 'Content-Type: application/json' --data-binary "$body" -o /dev/null -w "Put back: %{http_code}"
  now=$(assignment); [ "$now" = "$was" ] && is="is" || is="is NOT"
  printf '\n%s\n' "The task $is assigned as it was." "Before: $was" "Now:    $now"
}
trap put_back EXIT
set -v

# #2 of the run: 200  {"id":"7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11","name":"Review","assignment":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e… (190 characters more)
curl -sS -i -g -X GET https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11 \
  -H "apikey: $API_KEY" \
  -w '\n'

# Sent at the same time.
# #6 of the run: 200  {"id":"7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11","name":"Review","assignment":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e… (190 characters more)
# Sent with If-Match: 2026-11-05T09:29:59.001Z
# #7 of the run: 200  {"id":"7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11","name":"Review","assignment":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e… (190 characters more)
# Sent with If-Match: 2026-11-05T09:29:59.001Z
# Look here: PUT …/update-assignment accepts more than one of several simultaneous writes with the same version (#6, #7)
# Expected: one success, and 409 for the others
# In the run: 200, 200, 409, 409, 409
curl -sS -g -X PUT https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11/update-assignment \
  -H "apikey: $API_KEY" \
  -H "If-Match: 2026-11-05T09:29:59.001Z" \
  -H 'content-type: application/json' \
  --data-binary '{"update":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66","assigned_to_type":"TEAM","assignment_comment":"It'\''s a '\''quoted'\'' comment"}}' \
  -o /dev/null -w '%{http_code}\n' &
curl -sS -g -X PUT https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11/update-assignment \
  -H "apikey: $API_KEY" \
  -H "If-Match: 2026-11-05T09:29:59.001Z" \
  -H 'content-type: application/json' \
  --data-binary '{"update":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66","assigned_to_type":"TEAM","assignment_comment":"It'\''s a '\''quoted'\'' comment"}}' \
  -o /dev/null -w '%{http_code}\n' &
wait
