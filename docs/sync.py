"""Keeps a copy of the findings in SQLite by the change feed, and compares its sums with the summary.

python3 docs/sync.py copy.db            applies what changed since the last run
python3 docs/sync.py copy.db compare    compares the sums per week, organization and repository with the summary
"""
import gzip, json, os, sqlite3, sys, time
from urllib import error, parse, request

PULL_REQUEST = "pull_request_key pr_url organization_id organization_name repository_id repository_name number author_id merged_at counted_on".split()
FINDING = "pull_request_key finding_id url severity category reviewer accepted".split()
SUMS = """select date(counted_on, 'weekday 0', '-6 days'), organization_id, repository_id,
  count(*), sum(accepted is 1), sum(accepted is 0) from finding join pull_request using (pull_request_key) group by 1, 2, 3"""

def get(path, accept, **query):
    url = f"{os.environ['SCHOLIAST_URL']}/v1/metrics/{path}?{parse.urlencode(query)}"
    headers = {"x-service-api-key": os.environ["SCHOLIAST_API_KEY"], "accept": accept, "accept-encoding": "gzip"}
    while True:
        try:
            response = request.urlopen(request.Request(url, headers=headers))
            return gzip.open(response) if response.headers["content-encoding"] == "gzip" else response
        except error.HTTPError as refused:
            if refused.code not in (429, 503):
                sys.exit(f"{refused.code}: {refused.read().decode()}")
            time.sleep(int(refused.headers["retry-after"]))

def insert(db, table, columns, rows):
    db.executemany(f"insert into {table} values ({', '.join(':' + column for column in columns)})", rows)

def apply(db, change):
    if change["kind"] == "outcome":
        where = "pull_request_key = :pull_request_key and finding_id = :finding_id"
        db.execute(f"update finding set accepted = :accepted where {where}", change)
        return
    for table in ("finding", "pull_request"):
        db.execute(f"delete from {table} where pull_request_key = :pull_request_key", change)
    if change["kind"] == "written":
        insert(db, "pull_request", PULL_REQUEST, [change])
        insert(db, "finding", FINDING, ({**change, **finding} for finding in change["findings"]))

def follow(db):
    applied, last = 0, {"has_more": True}
    while last["has_more"]:
        start = dict(db.execute("select 'cursor', cursor from progress"))
        with db:  # The copy and its cursor change together. A response that is cut off changes neither.
            for line in get("review-comments/changes", "application/x-ndjson", limit=100_000, **start):
                last = json.loads(line)
                if "kind" in last:
                    apply(db, last)
                    applied += 1
            db.execute("insert or replace into progress values (1, ?)", (last["next_cursor"],))
    print(f"{applied} changes applied")

def compare(db):
    window = {"start_date": "0001-01-01", "end_date": "9999-12-31", "group_by": "week,organization,repository"}
    summary = json.load(get("summary", "application/json", **window))["data"]
    keys = window["group_by"].split(",")
    theirs = {tuple(sum["group"][key] for key in keys): (sum["posted"], sum["accepted"], sum["not_accepted"]) for sum in summary}
    ours = {row[:3]: row[3:] for row in db.execute(SUMS)}
    groups = ours.keys() | theirs.keys()
    differing = [group for group in groups if ours.get(group) != theirs.get(group)]
    print(f"{len(groups)} groups compared, {len(differing)} differ")
    sys.exit(len(differing) > 0)

db = sqlite3.connect(sys.argv[1])
db.executescript(f"""create table if not exists pull_request ({', '.join(PULL_REQUEST)}, primary key (pull_request_key));
  create table if not exists finding ({', '.join(FINDING)}, primary key (pull_request_key, finding_id));
  create table if not exists progress (id integer primary key, cursor)""")
compare(db) if sys.argv[2:] == ["compare"] else follow(db)
