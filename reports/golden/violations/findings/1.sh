#!/usr/bin/env bash
# PUT …/update-assignment: step_name of the task is "Approval", not "Screening"
#
# Clause update.keeps-the-other-fields (implied): An assignment changes no other field.
# Found in the run of 2026-11-05 09:30:00 UTC by "reassigning a task from a user to a team", #5 of exchanges.har.
#
# bash findings/1.sh                  # shows it at https://eu.staging.example/v5
# bash findings/1.sh https://…/v5     # at another base address, or where it is said to be fixed
# The key is that of API_KEY, or else of .env. It writes once to task 7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11, then assigns it as it was.

echo 'PUT …/update-assignment: step_name of the task is "Approval", not "Screening"'
BASE=${1:-https://eu.staging.example/v5}
API_KEY=${API_KEY:-$(sed -n 's/^API_KEY=//p' .env | tail -n 1 | tr -d "\"'\r")}
: "${API_KEY:?must be set}"
TASK=7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11
DIR=$(mktemp -d); cd "$DIR"
# Reads the task; prints its version; writes with a version and a body, and prints the status.
read_task() { curl -sS -g "$BASE/tasks/$TASK" -H "apikey: $API_KEY" "$@"; }
version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }
put() { curl -sS -g -X PUT "$BASE/tasks/$TASK/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $1" -H 'Content-Type: application/json' --data-binary "$2" -o answer -w '%{http_code}\n'; }
show() { grep -oE '"step_name" *: *("([^"\\]|\\.)*"|\{[^}]*\}|\[[^]]*\]|[^],}]*)' | head -n 1; }
valueOf() { printf '%s\n' "$1" | sed 's/^"[^"]*" *: *//'; }
echo 'Writes once to task 7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11, then assigns it as it was; who it is assigned to gets email.'
[ -n "$(version)" ] || { echo "The task cannot be read at $BASE ($(read_task -o /dev/null -w '%{http_code}')): nothing is to be seen."; rm -rf "$DIR"; exit 2; }
# Assigns the task as it was, however this ends.
assignment() { read_task | grep -oE '"assignment" *: *(null|\{("([^"\\]|\\.)*"|[^"}])*\})' | head -n 1 | sed 's/^"assignment" *: *//'; }
fields() { grep -oE '^null|"([^"\\]|\\.)*" *: *(null|"([^"\\]|\\.)*")' | sort; }
WAS=$(assignment)
is_as_it_was() { [ "$(assignment | fields)" = "$(printf '%s\n' "$WAS" | fields)" ]; }
put_back() {
is_as_it_was || case $WAS in
null) put "$(version)" '{"unassign":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33"}}' > put-back;;
*assigned_to_id*) put "$(version)" "{\"update\":$WAS}" > put-back;;
esac
if is_as_it_was; then echo 'The task is assigned as it was before.'; else
echo "The task is NOT assigned as it was before. The write that was to put it back was answered $(cat put-back 2> /dev/null || echo 'with nothing')."
echo "Before:     $WAS"; echo "Now:        $(assignment)"; fi
}
trap 'put_back; rm -rf "$DIR"' EXIT
V1=$(version)
echo '1. The write to look at (update, f2a7c7f0 to team c6e2a2d2, with a comment), answered with 200 in the run:'
# #5 of the run, answered with 200: {"id":"7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11","name":"Review","assignment":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e… (190 characters more)
echo "   updated_at: $(version)"
sent="$V1"; echo "   If-Match:   $sent"
now=$(put "$sent" '{"update":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66","assigned_to_type":"TEAM","assignment_comment":"It'\''s a '\''quoted'\'' comment"}}'); echo "   answer:     $now"
now=$(show < answer)
echo 'Expected:   "step_name":"Screening"'
echo 'In the run: "step_name":"Approval"'
echo "Now:        ${now:-nothing}"
if case $(valueOf "$now") in '"Screening"') true;; *) false;; esac; then echo 'As expected.'; else echo 'NOT as expected.'; exit 1; fi
