from django.urls import include, path

urlpatterns = [
    # allauth looks up its pages' names even if it serves only the API.
    path("accounts/", include("allauth.urls")),
    path("_allauth/", include("allauth.headless.urls")),
]
