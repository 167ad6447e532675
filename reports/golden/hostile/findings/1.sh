#!/usr/bin/env bash
# <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details> <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details> answers 409, but stores the example)```````</details> of its body
#
# Clause update.keeps-the-other-fields (implied): An assignment changes no other field.
# Clause conflict.differing-version-is-409 (stated): A differing If-Match is answered with 409.
# Found in the run of 2026-11-05 09:30:00 UTC by "reassigning a task from a user to a team", #5 of exchanges.har.
# It writes to task 7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11, then assigns it as it was; who it is assigned to gets email. The key is that of API_KEY.
# Above each request stands what the run got. Whether the finding is still there is not decided here, but by
# npm run contract -- --base-url 'https://eu.staging.example/v5/<script>alert(1)</script><style>*{display:none}</style>"'\''&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details>' --last-failed

: "${API_KEY:?must be set}"
# No answer steers the terminal.
curl () { command curl "$@" | LC_ALL=C tr -d '\000-\010\013-\037\177'; }
task='https://eu.staging.example/v5/<script>alert(1)</script><style>*{display:none}</style>"'\''&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r
::error::x
 ::error::y ##[error]z
# head
@someone
\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details>/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11'
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

# #2 of the run: 200  {"<script>alert(1)</script><style>*{display:none}</style>\"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##… (329 characters more)
curl -sS -i -g -X GET https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11 \
  -H "apikey: $API_KEY" \
  -w '\n'

# #5 of the run: 200  219 bytes, <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details>
# Sent with If-Match: 2026-11-05T09:29:59.001Z
# Look here: <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details> <script>alert(1)</script><style>*{display:no… (282 characters more)
# Expected: <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details>
# In the run: <script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details><script>alert(1)</script><style>*{display:non… (210 characters more)
curl -sS -i -g -X PUT https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11/update-assignment \
  -H "apikey: $API_KEY" \
  -H "If-Match: 2026-11-05T09:29:59.001Z" \
  -H 'content-type: application/json' \
  --data-binary '{"update":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66","assigned_to_type":"TEAM","assignment_comment":"It'\''s a '\''quoted'\'' comment"}}' \
  -w '\n'
