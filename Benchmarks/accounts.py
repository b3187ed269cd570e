"""Prints a user file with accounts that have signed in with Google: `accounts.py COUNT`.

Ids, subjects and addresses are spread as real ones are: those of new users come between them.
"""

import json
import random
import sys

count = int(sys.argv[1])
source = random.Random(1)
letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
print('{"users": [')
for number in range(count):
    subject = "1" + "".join(source.choices("0123456789", k=20))
    user = {
        "localId": "".join(source.choices(letters, k=28)),
        "email": f"{source.randrange(10**9):09}.{number}@example.com",
        "emailVerified": True,
        "providerUserInfo": [{"providerId": "google.com", "rawId": subject}],
    }
    print(json.dumps(user) + ("," if number + 1 < count else ""))
print("]}")
