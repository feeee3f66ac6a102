import type { Base } from './base.ts'

export const python: readonly Base[] = [
  {
    path: 'app/accounts/views.py',
    renamed: 'app/members/account_views.py',
    comment: '#',
    code: `import pickle
from django.db import connection
from django.http import HttpResponse, JsonResponse
---
def show_account(request, name):
    cursor = connection.cursor()
    cursor.execute("SELECT id, email FROM account WHERE name = '%s'" % name)  ‹1›
    row = cursor.fetchone()
    return JsonResponse({"id": row[0], "email": row[1]})
---
def search(request):
    term = request.GET.get("q", "")
    cursor = connection.cursor()
    cursor.execute("SELECT id FROM account WHERE email LIKE '%" + term + "%'")  ‹2›
    ids = [row[0] for row in cursor.fetchall()]
    return JsonResponse({"ids": ids, "term": term})
---
def restore(request):
    saved = request.COOKIES.get("filters")
    filters = pickle.loads(bytes.fromhex(saved))  ‹3›
    return HttpResponse("restored " + str(len(filters)))`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited: `    cursor.execute("SELECT id, email, joined FROM account WHERE lower(name) = '%s'" % name.lower())`,
        fixed: `    cursor.execute("SELECT id, email FROM account WHERE name = %s", [name])`,
      },
      2: {
        rule: 'sql-injection',
        edited: `    cursor.execute("SELECT id FROM account WHERE active AND email LIKE '%" + term + "%' LIMIT 20")`,
        fixed: `    cursor.execute(BY_EMAIL, ["%" + escape(term) + "%"])`,
      },
      3: {
        rule: 'unsafe-deserialization',
        edited: '    filters = pickle.loads(base64.b64decode(saved))',
        fixed: '    filters = json.loads(saved)',
      },
    },
    fresh: `def rename(request, account):
    name = request.POST["name"]
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE account SET name = '{name}' WHERE id = {account}")  ‹9›
    return HttpResponse(status=204)`,
    freshRule: 'sql-injection',
    filler: `def health(request):
    return HttpResponse("ok")`,
  },
  {
    path: 'tools/deploy.py',
    renamed: 'tools/release/rollout.py',
    comment: '#',
    code: `import os
import subprocess
import tempfile
import requests
---
def restart(service):
    print("restarting", service)
    os.system("systemctl restart " + service)  ‹1›
---
def run_on(host, command):
    line = "ssh " + host + " " + command
    result = subprocess.run(line, shell=True, capture_output=True)  ‹2›
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return result.stdout
---
def fetch_manifest(url):
    answer = requests.get(url, timeout=10, verify=False)  ‹3›
    answer.raise_for_status()
    return answer.json()
---
def scratch():
    name = tempfile.mktemp(suffix=".json")  ‹4›
    return open(name, "w")`,
    findings: {
      1: {
        rule: 'command-injection',
        edited: '    status = os.system("sudo systemctl restart " + service + ".service")',
        fixed: '    subprocess.run(["systemctl", "restart", service], check=True)',
      },
      2: {
        rule: 'command-injection',
        edited: '    done = subprocess.run(line, shell=True, capture_output=True, timeout=60)',
        fixed: '    result = subprocess.run(["ssh", host, "--", command], capture_output=True)',
      },
      3: {
        rule: 'tls-not-verified',
        edited: '    answer = session.get(url, timeout=(3, 30), verify=False)',
        fixed: '    answer = requests.get(url, timeout=10)',
      },
      4: {
        rule: 'insecure-temporary-file',
        edited: '    name = tempfile.mktemp(prefix="manifest-", suffix=".json", dir=folder)',
        fixed: '    handle, name = tempfile.mkstemp(suffix=".json")',
      },
    },
    fresh: `def tail(unit, lines):
    output = os.popen("journalctl -n " + lines + " -u " + unit)  ‹9›
    for line in output:
        print(line.rstrip())`,
    freshRule: 'command-injection',
    filler: `def describe(manifest):
    return ", ".join(sorted(manifest["services"]))`,
  },
  {
    path: 'services/ingest/reader.py',
    renamed: 'services/ingest/parsing/xml_reader.py',
    comment: '#',
    code: `import hashlib
import yaml
from lxml import etree
from flask import Blueprint, request, render_template_string
---
pages = Blueprint("pages", __name__)
---
@pages.route("/preview")
def preview():
    title = request.args["title"]
    return render_template_string("<h1>" + title + "</h1>")  ‹1›
---
def read_settings(path):
    with open(path) as stream:
        return yaml.load(stream, Loader=yaml.Loader)  ‹2›
---
def read_feed(data):
    parser = etree.XMLParser(resolve_entities=True)  ‹3›
    tree = etree.fromstring(data, parser)
    return [item.text for item in tree.iter("item")]
---
def checksum(data):
    return hashlib.sha1(data).hexdigest()  ‹4›`,
    findings: {
      1: {
        rule: 'template-injection',
        edited: '    return render_template_string("<h1 class=\\"title\\">" + title.strip() + "</h1>")',
        fixed: '    return render_template("preview.html", title=title)',
      },
      2: {
        rule: 'unsafe-deserialization',
        edited: '        settings = yaml.load(stream.read(), Loader=yaml.Loader)',
        fixed: '        return yaml.safe_load(stream)',
      },
      3: {
        rule: 'xml-external-entity',
        edited: '    parser = etree.XMLParser(resolve_entities=True, huge_tree=True, recover=True)',
        fixed: '    parser = etree.XMLParser(resolve_entities=False, no_network=True)',
      },
      4: {
        rule: 'weak-hash',
        edited: '    digest = hashlib.sha1(data.strip()).hexdigest()',
        fixed: '    return hashlib.sha256(data).hexdigest()',
      },
    },
    fresh: `def load_rules(text):
    rules = []
    for document in yaml.load_all(text, Loader=yaml.UnsafeLoader):  ‹9›
        rules.append(document)
    return rules`,
    freshRule: 'unsafe-deserialization',
    filler: `def first_of(items, default=None):
    return items[0] if items else default`,
  },
]
