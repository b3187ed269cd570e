"""Caches the provider's keys, which django-allauth otherwise fetches for each ID token."""

import time

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter


class CachedKeysAdapter(DefaultSocialAccountAdapter):
    kept = {}

    def get_requests_session(self):
        session = super().get_requests_session()
        fetch = session.get

        def get(url, **options):
            response, until = self.kept.get(url, (None, 0))
            if time.monotonic() > until:
                response = fetch(url, **options)
                if response.ok:
                    # The provider allows a day. After an hour a withdrawn key is no longer used.
                    self.kept[url] = response, time.monotonic() + 3600
            return response

        session.get = get
        return session
